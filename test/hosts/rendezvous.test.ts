import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findRendezvous, removeStaleRendezvous } from '../../src/hosts/rendezvous.js';
import type { Report } from '../../src/report/schema/report.js';
import { currentOwner, type Owner } from '../../src/scratch/owner.js';
import { GIB } from '../../src/text/units.js';
import { makeDirectory } from '../support/disks/directory.js';
import { runInProcess } from '../support/programs/in-process.js';
import { runGobonnie } from '../support/programs/program.js';
import { DEAD, ELSEWHERE, writeRank } from './fake-rank.js';

const ID = '3f0c6a1e-5b0e-4c55-9d3f-8a2b1c7d4e60';
const RENDEZVOUS = `.gobonnie-rendezvous.3.${ID}`;
const ALIVE = currentOwner();

/** Makes a directory with the files of a killed job in which one rank has this owner. */
function makeLeftovers(owner: Owner): string {
  const directory = makeDirectory();
  const rendezvous = path.join(directory, RENDEZVOUS);
  for (const [rank, rankOwner] of [DEAD, owner, ALIVE].entries()) writeRank(rendezvous, rank, rankOwner);
  for (const name of ['left', 'result.1']) mkdirSync(path.join(rendezvous, name));
  writeFileSync(path.join(rendezvous, 'left', '2'), '');
  writeFileSync(path.join(rendezvous, 'result.1', '0'), '{}');
  writeFileSync(path.join(directory, 'mine'), '');
  return directory;
}

test('the files of a killed job are listed and removed, and no other files', async () => {
  const directory = makeLeftovers(DEAD);
  const rendezvous = path.join(directory, RENDEZVOUS);
  expect(await findRendezvous(directory)).toEqual([{ path: rendezvous, reason: null }]);
  expect(await removeStaleRendezvous(directory)).toEqual([rendezvous]);
  expect(readdirSync(directory)).toEqual(['mine']);
});

test('the files of a job whose removal was interrupted are listed and removed', async () => {
  const directory = makeDirectory();
  const rendezvous = path.join(directory, `${RENDEZVOUS}.removed`);
  mkdirSync(path.join(rendezvous, 'rank.1'), { recursive: true });
  expect(await removeStaleRendezvous(directory)).toEqual([rendezvous]);
  expect(readdirSync(directory)).toEqual([]);
});

test.each([
  ['is alive', ALIVE],
  ['may be alive on another host', ELSEWHERE],
])('the files of a job with a rank that %s are kept', async (_, owner) => {
  const directory = makeLeftovers(owner);
  expect(await removeStaleRendezvous(directory)).toEqual([]);
  expect(readdirSync(directory)).toEqual([RENDEZVOUS, 'mine']);
});

test('the files of a job whose remaining rank ran on a host that the user declares dead are removed', async () => {
  const directory = makeLeftovers(ELSEWHERE);
  expect(await removeStaleRendezvous(directory, 'another')).toEqual([]);
  expect(await removeStaleRendezvous(directory, 'elsewhere')).toHaveLength(1);
  expect(readdirSync(directory)).toEqual(['mine']);
});

test('gobonnie clean --dry-run lists the files of a killed job; clean keeps those of a live one', async () => {
  const dead = await runGobonnie(['clean', '--dry-run', makeLeftovers(DEAD)]);
  expect(dead.stdout.match(/^would remove .*gobonnie-rendezvous\..*$/gm)).toHaveLength(1);
  expect(dead.stderr).toBe('');
  const living = await runGobonnie(['clean', makeLeftovers(ALIVE)]);
  expect(living.stderr.match(/keeping /g)).toHaveLength(1);
  expect(living.stdout).toBe('');
});

test('the threads that keep the depth of a job without io_uring are counted once', async () => {
  const directory = makeDirectory();
  const job = ['--rendezvous', directory, '--ranks', '2', '--size', '0.01', '--dry-run', '--json'];
  const load = ['--depth', '4', '--engine', 'auto'];
  const ranks = ['0', '1'].map((rank) => runInProcess([...job, ...load, '--dir', directory, '--rank', rank]));
  const [first] = await Promise.all(ranks);
  const { threads, transfer, machine } = JSON.parse(first?.stdout ?? '');
  expect((threads * transfer.depth) / 4).toBe(Math.max(1, Math.floor(machine.cores / 2)));
});

test('the ranks of a host together default to the size of one process', async () => {
  const directory = makeDirectory();
  const flags = ['--dry-run', '--json', '--dir', directory];
  const job = ['--rendezvous', directory, '--ranks', '2', ...flags];
  const ranks = ['0', '1'].map((rank) => runInProcess([...job, '--rank', rank]));
  const [one, first] = await Promise.all([runInProcess(flags), ...ranks]);
  const [size, share] = [one, first].map((output) => JSON.parse(output?.stdout ?? '').totalBytes);
  expect(share).toBeGreaterThan(0.4 * size);
  expect(share).toBeLessThanOrEqual(0.5 * size);
});

test('no rank of a job with steps warns that the data of the other ranks is missing', async () => {
  const directory = makeDirectory();
  const job = ['--rendezvous', directory, '--ranks', '2', '--dir', directory, '--size', '0.01'];
  const steps = ['--step', 'random,io-size=4k,seconds=0.1', '--out', path.join(directory, 'job.json')];
  const ranks = ['0', '1'].map((rank) => runGobonnie([...job, ...steps, '--rank', rank]));
  const results = await Promise.all(ranks);
  expect(results.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  const { warnings, layout }: Report = JSON.parse(readFileSync(path.join(directory, 'job.json'), 'utf8'));
  expect(warnings.map(({ code }) => code)).not.toContain('layout-stopped');
  expect(layout?.bytes).toBeGreaterThan(0.015 * GIB);
});
