import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { type DirectoryCommunicator, joinRendezvous } from '../../src/hosts/join-rendezvous.js';
import { makeDirectory } from '../support/disks/directory.js';
import { startGobonnie } from '../support/programs/program.js';
import { ELSEWHERE, writeRank } from './fake-rank.js';

const NEVER = new AbortController().signal;

function joinAll(directory: string, size: number): Promise<readonly DirectoryCommunicator[]> {
  const ranks = Array.from({ length: size }, (_, rank) => rank);
  return Promise.all(ranks.map((rank) => joinRendezvous({ directory, size, rank }, 60, NEVER)));
}

test('ranks in a shared directory get the texts of the other ranks, and leave no files there', async () => {
  const directory = makeDirectory();
  const all = await joinAll(directory, 5);
  await Promise.all(all.map((one) => one.put('text', `of ${one.rank}`)));
  await Promise.all(all.map((one) => one.barrier(NEVER)));
  for (const one of all) expect(await one.get(3, 'text')).toBe('of 3');
  await expect(all[0]?.get(9, 'text')).rejects.toThrow('rank 9 did not write text to ');
  await Promise.all(all.map((one) => one.leave()));
  expect(readdirSync(directory)).toEqual([]);
});

test('files of killed jobs do not disturb a new job, which removes them if no rank may be alive', async () => {
  const directory = makeDirectory();
  for (const [at, ranks] of [[0], [1], [0, 1], []].entries()) {
    const name = `.gobonnie-rendezvous.2.${at}0000000-0000-0000-0000-000000000000`;
    const rendezvous = path.join(directory, name);
    mkdirSync(rendezvous);
    for (const rank of ranks) writeRank(rendezvous, rank, ELSEWHERE);
  }
  const all = await joinAll(directory, 2);
  await Promise.all(all.map((one) => one.barrier(NEVER)));
  await Promise.all(all.map((one) => one.leave()));
  // The fourth has no rank that may be alive.
  expect(readdirSync(directory)).toHaveLength(3);
});

test('a rank that was interrupted while it joined can join again', async () => {
  const directory = makeDirectory();
  const first = joinRendezvous({ directory, size: 2, rank: 0 }, 60, NEVER);
  const interrupt = new AbortController();
  const interrupted = joinRendezvous({ directory, size: 2, rank: 1 }, 60, interrupt.signal);
  interrupt.abort('SIGINT');
  await expect(interrupted).rejects.toBe('SIGINT');
  const all = await Promise.all([first, joinRendezvous({ directory, size: 2, rank: 1 }, 60, NEVER)]);
  await Promise.all(all.map((one) => one.leave()));
  expect(readdirSync(directory)).toEqual([]);
});

test('a rank that was killed while it joined can join again', async () => {
  const directory = makeDirectory();
  const args = ['--dir', directory, '--size', '0.01', '--rendezvous', directory, '--ranks', '3'];
  const { child, exitResult } = startGobonnie([...args, '--rank', '1']);
  const join = (rank: number) => joinRendezvous({ directory, size: 3, rank }, 60, NEVER);
  const first = join(0);
  const hasJoined = () =>
    readdirSync(directory).some((name) => existsSync(path.join(directory, name, 'rank.1')));
  await vi.waitUntil(hasJoined, { timeout: 60_000 });
  child.kill('SIGKILL');
  await exitResult;
  const all = await Promise.all([first, join(1), join(2)]);
  await Promise.all(all.map((one) => one.leave()));
  expect(readdirSync(directory)).toEqual([]);
});

test('a join that times out names the number of ranks and the directory, and leaves no files', async () => {
  const directory = makeDirectory();
  const join = joinRendezvous({ directory, size: 3, rank: 0 }, 1, NEVER);
  const rejection = expect(join).rejects.toThrow(
    `not all of --ranks 3 reached --rendezvous ${directory} within 1 s`,
  );
  const name = await vi.waitUntil(() => readdirSync(directory)[0]);
  writeRank(path.join(directory, name), 1, ELSEWHERE);
  await rejection;
  expect(readdirSync(directory)).toEqual([]);
});

test('an aborted barrier rejects with the reason of its signal', async () => {
  const [one, other] = await joinAll(makeDirectory(), 2);
  const stop = new AbortController();
  const waiting = one?.barrier(stop.signal);
  stop.abort('SIGINT');
  await expect(waiting).rejects.toBe('SIGINT');
  await one?.leave();
  await other?.put('text', 'of a rank that has not arrived yet');
  await other?.leave();
});

test('the last rank to give up removes the files, although a rank has never arrived', async () => {
  const directory = makeDirectory();
  const [one, other] = await joinAll(directory, 3);
  await Promise.all([one?.put('text', 'of 0'), other?.put('text', 'of 1')]);
  const timeouts = [one, other].map((rank) => rank?.barrier(AbortSignal.timeout(50)));
  for (const result of await Promise.allSettled(timeouts)) expect(result.status).toBe('rejected');
  await other?.leave();
  // Rank 0 still needs the results of the other ranks.
  expect(await one?.get(1, 'text')).toBe('of 1');
  await one?.leave();
  expect(readdirSync(directory)).toEqual([]);
});

test('a rank for which the others no longer wait reports that', async () => {
  const directory = makeDirectory();
  const [one, other] = await joinAll(directory, 2);
  await expect(one?.barrier(AbortSignal.timeout(50))).rejects.toThrow();
  await one?.leave();
  await expect(other?.barrier(NEVER)).rejects.toThrow(
    `another process has removed ${directory}/.gobonnie-rendezvous.2.`,
  );
  await other?.leave();
});

test('a rank that is interrupted while it waits for the other ranks leaves no files', async () => {
  const directory = makeDirectory();
  const args = ['--dir', directory, '--size', '0.01', '--rendezvous', directory, '--ranks', '2'];
  const { child, exitResult } = startGobonnie([...args, '--rank', '0']);
  await vi.waitUntil(() => readdirSync(directory).length > 0, { timeout: 60_000 });
  child.kill('SIGINT');
  const { stdout, stderr, exitCode } = await exitResult;
  expect([stdout, stderr, exitCode, readdirSync(directory)]).toEqual(['', '', 130, []]);
});
