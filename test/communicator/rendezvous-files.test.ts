import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findRendezvous, removeStaleRendezvous } from '../../src/communicator/rendezvous-files.js';
import { currentOwner } from '../../src/scratch/owner.js';
import { makeDirectory } from '../support/disks/directory.js';
import { runGobonnie } from '../support/programs/program.js';

const ID = '3f0c6a1e-5b0e-4c55-9d3f-8a2b1c7d4e60';
const ROOM = `.gobonnie-rendezvous.${ID}`;
const HERE = currentOwner();
const DEAD = { ...HERE, startTime: '1' };
const ELSEWHERE = { ...DEAD, host: 'elsewhere', boot: 'another' };

/** What a killed meeting leaves, by these processes. */
function leftBy(owner: object): string {
  const directory = makeDirectory();
  const room = path.join(directory, ROOM);
  mkdirSync(path.join(room, '1'), { recursive: true });
  writeFileSync(path.join(room, 'owner'), JSON.stringify(owner));
  writeFileSync(path.join(room, '1', '0'), '');
  writeFileSync(path.join(room, 'result.1.0'), '{}');
  writeFileSync(path.join(directory, '.gobonnie-rendezvous'), JSON.stringify({ room: ROOM, nonces: [] }));
  writeFileSync(path.join(directory, '.gobonnie-rank.2'), JSON.stringify({ nonce: 'x', owner }));
  writeFileSync(path.join(directory, 'mine'), '');
  return directory;
}

test('what a killed meeting has left is listed and removed, and nothing else', async () => {
  const directory = leftBy(DEAD);
  expect(await findRendezvous(directory)).toEqual([
    { path: path.join(directory, '.gobonnie-rank.2'), job: null, reason: null },
    { path: path.join(directory, ROOM), job: ID, reason: null },
  ]);
  expect(await removeStaleRendezvous(directory, null)).toEqual(
    ['.gobonnie-rank.2', ROOM].map((name) => path.join(directory, name)),
  );
  expect(readdirSync(directory)).toEqual(['mine']);
});

test.each([
  ['lives', HERE],
  ['may live on another host', ELSEWHERE],
  ['is unknown', { pid: 1 }],
])('a meeting whose first rank %s stays', async (_, owner) => {
  const directory = leftBy(owner);
  expect(await removeStaleRendezvous(directory, null)).toEqual([]);
  expect(readdirSync(directory)).toHaveLength(4);
});

test('the meeting of a job that is over is removed from any host', async () => {
  const directory = leftBy(ELSEWHERE);
  expect(await removeStaleRendezvous(directory, 'another')).toEqual([]);
  expect(await removeStaleRendezvous(directory, ID)).toEqual([path.join(directory, ROOM)]);
});

test('gobonnie clean --dry-run lists it, and says what stays', async () => {
  const dead = await runGobonnie(['clean', '--dry-run', leftBy(DEAD)]);
  expect(dead.stdout.match(/^would remove .*gobonnie-r(endezvous|ank)\..*$/gm)).toHaveLength(2);
  expect(dead.stderr).toBe('');
  const living = await runGobonnie(['clean', leftBy(HERE)]);
  expect(living.stderr.match(/keeping /g)).toHaveLength(2);
  expect(living.stdout).toBe('');
});
