import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findRendezvous, removeStaleRendezvous } from '../../src/communicator/rendezvous-files.js';
import { currentOwner } from '../../src/scratch/owner.js';
import { makeDirectory } from '../support/disks/directory.js';
import { runGobonnie } from '../support/programs/program.js';

const ID = '3f0c6a1e-5b0e-4c55-9d3f-8a2b1c7d4e60';
const RENDEZVOUS = `.gobonnie-rendezvous.${ID}`;
const ALIVE = currentOwner();
const DEAD = { ...ALIVE, startTime: '1' };
const ELSEWHERE = { ...DEAD, host: 'elsewhere', boot: 'another' };

/** Makes a directory with the files of a killed job that has this owner. */
function makeLeftovers(owner: object): string {
  const directory = makeDirectory();
  const rendezvous = path.join(directory, RENDEZVOUS);
  mkdirSync(path.join(rendezvous, '1'), { recursive: true });
  writeFileSync(path.join(rendezvous, 'owner'), JSON.stringify(owner));
  writeFileSync(path.join(rendezvous, '1', '0'), '');
  writeFileSync(path.join(rendezvous, 'result.1.0'), '{}');
  writeFileSync(
    path.join(directory, '.gobonnie-rendezvous'),
    JSON.stringify({ room: RENDEZVOUS, nonces: [] }),
  );
  writeFileSync(path.join(directory, '.gobonnie-rank.2'), JSON.stringify({ nonce: 'x', owner }));
  writeFileSync(path.join(directory, 'mine'), '');
  return directory;
}

test('the files of a killed job are listed and removed, and no other files', async () => {
  const directory = makeLeftovers(DEAD);
  expect(await findRendezvous(directory)).toEqual([
    { path: path.join(directory, '.gobonnie-rank.2'), reason: null },
    { path: path.join(directory, RENDEZVOUS), reason: null },
  ]);
  expect(await removeStaleRendezvous(directory)).toEqual(
    ['.gobonnie-rank.2', RENDEZVOUS].map((name) => path.join(directory, name)),
  );
  expect(readdirSync(directory)).toEqual(['mine']);
});

test.each([
  ['is alive', ALIVE],
  ['may be alive on another host', ELSEWHERE],
  ['is unknown', { pid: 1 }],
])('the files of a job whose rank 0 %s are kept', async (_, owner) => {
  const directory = makeLeftovers(owner);
  expect(await removeStaleRendezvous(directory)).toEqual([]);
  expect(readdirSync(directory)).toHaveLength(4);
});

test('the files of a job whose rank 0 ran on a host that the user declares dead are removed', async () => {
  const directory = makeLeftovers(ELSEWHERE);
  expect(await removeStaleRendezvous(directory, 'another')).toEqual([]);
  expect(await removeStaleRendezvous(directory, 'elsewhere')).toHaveLength(2);
  expect(readdirSync(directory)).toEqual(['mine']);
});

test('gobonnie clean --dry-run lists the files of a killed job; clean keeps those of a live one', async () => {
  const dead = await runGobonnie(['clean', '--dry-run', makeLeftovers(DEAD)]);
  expect(dead.stdout.match(/^would remove .*gobonnie-r(endezvous|ank)\..*$/gm)).toHaveLength(2);
  expect(dead.stderr).toBe('');
  const living = await runGobonnie(['clean', makeLeftovers(ALIVE)]);
  expect(living.stderr.match(/keeping /g)).toHaveLength(2);
  expect(living.stdout).toBe('');
});
