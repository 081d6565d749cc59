import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { DirectoryCommunicator } from '../../src/communicator/directory-communicator.js';
import { makeDirectory } from '../support/disks/directory.js';
import { ENTRY, startProcess } from '../support/programs/program.js';

const NEVER = new AbortController().signal;

function joinAll(directory: string, size: number): Promise<readonly DirectoryCommunicator[]> {
  const ranks = Array.from({ length: size }, (_, rank) => rank);
  return Promise.all(ranks.map((rank) => DirectoryCommunicator.join({ directory, size, rank }, 60, NEVER)));
}

test('ranks in a shared directory get the texts of the other ranks, and leave no files there', async () => {
  const directory = makeDirectory();
  const all = await joinAll(directory, 5);
  await Promise.all(all.map((one) => one.put('text', `of ${one.rank}`)));
  await Promise.all(all.map((one) => one.barrier('', NEVER)));
  for (const one of all) expect(await one.get(3, 'text')).toBe('of 3');
  await expect(all[0]?.get(9, 'text')).rejects.toThrow('rank 9 did not write text to ');
  await Promise.all(all.map((one) => one.leave()));
  expect(readdirSync(directory)).toEqual([]);
});

test('stale files of an earlier job that was killed do not disturb a new job', async () => {
  const directory = makeDirectory();
  writeFileSync(path.join(directory, '.gobonnie-rank.1'), 'old');
  const room = '.gobonnie-rendezvous.00000000-0000';
  writeFileSync(path.join(directory, '.gobonnie-rendezvous'), JSON.stringify({ room, nonces: ['a', 'old'] }));
  const all = await joinAll(directory, 2);
  await Promise.all(all.map((one) => one.barrier('', NEVER)));
  await Promise.all(all.map((one) => one.leave()));
  expect(readdirSync(directory)).toEqual([]);
});

test('a join that times out names the number of ranks and the directory', async () => {
  const directory = makeDirectory();
  const join = DirectoryCommunicator.join({ directory, size: 3, rank: 0 }, 0.1, NEVER);
  await expect(join).rejects.toThrow(`not all of --ranks 3 reached --rendezvous ${directory} within 0.1 s`);
});

test('an aborted barrier rejects with the reason of its signal', async () => {
  const [one, other] = await joinAll(makeDirectory(), 2);
  const stop = new AbortController();
  const waiting = one?.barrier('', stop.signal);
  stop.abort('SIGINT');
  await expect(waiting).rejects.toBe('SIGINT');
  await Promise.all([one?.leave(), other?.leave()]);
});

test('a rank that is interrupted while it waits for the other ranks leaves no files', async () => {
  const directory = makeDirectory();
  const args = [
    '--dir',
    directory,
    '--size',
    '0.01',
    '--rendezvous',
    directory,
    '--ranks',
    '2',
    '--rank',
    '0',
  ];
  const { child, exitResult } = startProcess(process.execPath, [ENTRY, ...args]);
  await vi.waitUntil(() => readdirSync(directory).includes('.gobonnie-rendezvous'), { timeout: 60_000 });
  child.kill('SIGINT');
  const { stdout, stderr, exitCode } = await exitResult;
  expect([stdout, stderr, exitCode, readdirSync(directory)]).toEqual(['', '', 130, []]);
});
