import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createLocalGroup, deleteLocalGroup, joinLocalGroup } from '../../src/cluster/local-group.js';
import { currentOwner } from '../../src/scratch/owner.js';
import { makeDirectory } from '../support/disks/directory.js';
import { requireTools } from '../support/tools.js';
import { DEAD, writeRank } from './fake-rank.js';

/** Time in which a process that wrongly does not wait would continue. No test fails if it is too short. */
const A_WHILE_MS = 150;
const NEVER = new AbortController().signal;
const NO_BARRIER = 'there is no barrier to join';

type LocalGroup = Awaited<ReturnType<typeof joinLocalGroup>>;

let directory = '';

beforeEach(() => {
  directory = makeDirectory();
  vi.stubEnv('TMPDIR', directory);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
});

const join = (signal = NEVER) => joinLocalGroup(signal);

/** Members of a new barrier, all in this process. */
async function joined<const Names extends readonly string[]>(...names: Names) {
  await createLocalGroup(names.length);
  const groups = await Promise.all(names.map(() => join()));
  return Object.fromEntries(names.map((name, at) => [name, groups[at]])) as Record<Names[number], LocalGroup>;
}

/** Creates a barrier whose first ranks belong to other processes that are alive. Returns its directory. */
async function createWithOthers(size: number, others: number): Promise<string> {
  await createLocalGroup(size);
  const [name = ''] = readdirSync(directory);
  const rendezvous = path.join(directory, name);
  for (let rank = 0; rank < others; rank++) writeRank(rendezvous, rank, currentOwner());
  return rendezvous;
}

/** Resolves when this many processes have joined. */
async function waitForJoined(count: number): Promise<void> {
  const names = () => readdirSync(path.join(directory, readdirSync(directory)[0] ?? ''));
  await vi.waitUntil(() => names().filter((name) => name.startsWith('rank.')).length === count, 60_000);
}

/** Expects that these promises do not settle for a while. */
async function expectPending(...promises: readonly Promise<unknown>[]): Promise<void> {
  const settled: unknown[] = [];
  for (const promise of promises) promise.then((value) => settled.push(value)).catch((e) => settled.push(e));
  await setTimeout(A_WHILE_MS);
  expect(settled).toEqual([]);
}

describe('the processes of a barrier', () => {
  test('start each phase together, repeat phases, and the last process to leave removes all files', async () => {
    const groups = Object.values(await joined('a', 'b', 'c'));
    const phases = ['putc', 'write', 'write', 'rewrite', 'getc', 'read'];
    const log: string[] = [];
    const runs = groups.map(async (group, at) => {
      for (const [number, phase] of phases.entries()) {
        // Each process is the slowest in turn.
        if (number % 3 === at) await setTimeout(30);
        log.push(`reached ${number}`);
        await group.barrier(phase, NEVER);
        log.push(`in ${number}`);
      }
      expect(readdirSync(directory)).toHaveLength(1);
      await group.leave();
    });
    await Promise.all(runs);
    for (const number of phases.keys())
      expect(log.lastIndexOf(`reached ${number}`)).toBeLessThan(log.indexOf(`in ${number}`));
    expect(log).toHaveLength(36);
    expect(readdirSync(directory)).toEqual([]);
  });

  test('wait until the last process has joined', async () => {
    await createLocalGroup(3);
    const waiting = [join(), join()];
    await expectPending(...waiting);
    await Promise.all([...waiting, join()]);
  });
});

describe('the other processes continue', () => {
  test('when one process leaves during a phase', async () => {
    const { a, b, c } = await joined('a', 'b', 'c');
    const waiting = [a.barrier('write', NEVER), b.barrier('write', NEVER)];
    await expectPending(...waiting);
    await c.leave();
    await Promise.all(waiting);
    await Promise.all([a.barrier('read', NEVER), b.barrier('read', NEVER)]);
  });

  test('when one process is killed, during a phase or while it waits', async () => {
    const rendezvous = await createWithOthers(3, 2);
    const own = await join();
    const reached = own.barrier('putc', NEVER);
    await vi.waitUntil(() => existsSync(path.join(rendezvous, 'barrier.1')));
    writeFileSync(path.join(rendezvous, 'barrier.1', '1'), 'putc');
    writeRank(rendezvous, 1, DEAD);
    await expectPending(reached);
    writeRank(rendezvous, 0, DEAD);
    await reached;
    await own.barrier('write', NEVER);
    await own.leave();
    expect(readdirSync(directory)).toEqual([]);
  });

  test('when one process is killed before the last has joined', async () => {
    const rendezvous = await createWithOthers(3, 1);
    const first = join();
    await waitForJoined(2);
    writeRank(rendezvous, 0, DEAD);
    await expectPending(first);
    const [own, other] = await Promise.all([first, join()]);
    await Promise.all([own.barrier('putc', NEVER), other.barrier('putc', NEVER)]);
  });
});

describe('creating a barrier', () => {
  test('creates files that only this user can read or write', async () => {
    const { a } = await joined('a');
    await a.barrier('putc', NEVER);
    const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
    expect(names).toHaveLength(5);
    expect(names.filter((name) => (statSync(path.join(directory, name)).mode & 0o077) !== 0)).toEqual([]);
  });

  test('again, before any process has joined, changes its size', async () => {
    await createLocalGroup(3);
    await createLocalGroup(2);
    await Promise.all([join(), join()]);
  });

  test('is rejected while a process uses the barrier, and does not disturb that process', async () => {
    const rendezvous = await createWithOthers(2, 1);
    const own = await join();
    writeRank(rendezvous, 0, DEAD);
    const line = `a barrier is in use by process ${process.pid}; wait until it has ended, or remove the barrier with -p -1`;
    await expect(createLocalGroup(2)).rejects.toMatchObject({ line });
    await own.barrier('putc', NEVER);
  });

  test('completes the removal of a barrier that was interrupted by kill -9', async () => {
    const name = '.gobonnie-barrier.1.00000000-0000-0000-0000-000000000000.removed';
    mkdirSync(path.join(directory, name, 'rank.0'), { recursive: true });
    mkdirSync(path.join(directory, name, 'draft.1'));
    await createLocalGroup(1);
    expect(readdirSync(directory)).toEqual([expect.stringMatching(/^\.gobonnie-barrier\.1\.[^.]+$/)]);
  });
});

describe('joining a barrier', () => {
  test('that does not exist fails with a hint to use -p', async () => {
    await expect(join()).rejects.toMatchObject({
      line: `${NO_BARRIER}; create one first, as the same user, with -p N`,
    });
    expect(readdirSync(directory)).toEqual([]);
  });

  test('whose processes are all dead fails, and removes the barrier', async () => {
    writeRank(await createWithOthers(1, 1), 0, DEAD);
    await expect(join()).rejects.toThrow(NO_BARRIER);
    expect(readdirSync(directory)).toEqual([]);
  });

  test('by five processes at once succeeds for three of them if its size is three, even after one has left', async () => {
    await createLocalGroup(3);
    const results = await Promise.allSettled([1, 2, 3, 4, 5].map(() => join()));
    const groups = results.filter((one) => one.status === 'fulfilled').map(({ value }) => value);
    const errors = results.filter((one) => one.status === 'rejected').map(({ reason }) => reason.line);
    const line =
      'all 3 processes of this barrier have already joined; when they have ended, create a larger barrier with -p N';
    expect([groups.length, errors]).toEqual([3, [line, line]]);
    await groups[0]?.leave();
    await expect(join()).rejects.toMatchObject({ line });
  });

  test('to run different tests is an error, and no process hangs', async () => {
    const { a, b } = await joined('a', 'b');
    const end = (group: LocalGroup, phase: string) =>
      group.barrier(phase, NEVER).catch(async (error: Error) => {
        await group.leave();
        return error.message;
      });
    expect(await Promise.all([end(a, 'putc'), end(b, 'write')])).toContain(
      `phase mismatch: this process is at write, process ${process.pid} is at putc`,
    );
  });
});

describe('an abort while waiting', () => {
  test('for the other processes to join leaves no files', async () => {
    const stop = new AbortController();
    await createLocalGroup(3);
    const waiting = Promise.allSettled([join(stop.signal), join(stop.signal)]);
    await waitForJoined(2);
    stop.abort('SIGINT');
    expect(await waiting).toMatchObject([{ reason: 'SIGINT' }, { reason: 'SIGINT' }]);
    expect(readdirSync(directory)).toEqual([]);
  });

  test('for a phase leaves no files and lets the other processes continue', async () => {
    const stop = new AbortController();
    const { a, b, c } = await joined('a', 'b', 'c');
    const first = a.barrier('putc', stop.signal);
    const second = b.barrier('putc', NEVER);
    await expectPending(first, second);
    stop.abort('SIGINT');
    await expect(first).rejects.toBe('SIGINT');
    await a.leave();
    await expectPending(second);
    await Promise.all([second, c.barrier('putc', NEVER)]);
    await Promise.all([b.leave(), c.leave()]);
    expect(readdirSync(directory)).toEqual([]);
  });
});

describe('removing a barrier', () => {
  test('fails if no barrier exists', async () => {
    await expect(deleteLocalGroup()).rejects.toMatchObject({
      line: 'there is no barrier to remove; the last process to leave removes it; create one with -p N',
    });
  });

  test('leaves no files, and is reported to processes that join, wait, or reach a phase later', async () => {
    const removed = 'the barrier was removed while in use; create a new one with -p N, and start again';
    await createLocalGroup(2);
    const joining = expect(join()).rejects.toMatchObject({ line: removed });
    await waitForJoined(1);
    await deleteLocalGroup();
    await joining;

    const { a, b } = await joined('a', 'b');
    const waiting = expect(a.barrier('putc', NEVER)).rejects.toMatchObject({ line: removed });
    await setTimeout(A_WHILE_MS);
    await deleteLocalGroup();
    await waiting;
    await expect(b.barrier('putc', NEVER)).rejects.toMatchObject({ line: removed });
    await b.leave();
    expect(readdirSync(directory)).toEqual([]);
  });
});

describe('in place of a barrier, the following is ignored and left unchanged:', () => {
  const name = '.gobonnie-barrier.2.00000000-0000-0000-0000-000000000000';

  async function expectIgnored(): Promise<void> {
    await expect(join()).rejects.toThrow(NO_BARRIER);
    await expect(deleteLocalGroup()).rejects.toThrow('there is no barrier to remove');
    await createLocalGroup(1);
    await deleteLocalGroup();
    expect(readdirSync(directory)).toEqual([name]);
  }

  test.each<[string, (entry: string) => void]>([
    ['a link', (entry) => symlinkSync(makeDirectory(), entry)],
    ['a file', (entry) => writeFileSync(entry, '')],
  ])('%s', async (_, create) => {
    create(path.join(directory, name));
    await expectIgnored();
  });

  test("another user's directory", async (context) => {
    requireTools('root')(context);
    mkdirSync(path.join(directory, name));
    chownSync(path.join(directory, name), 65_534, 65_534);
    await expectIgnored();
  });
});

test('a temporary directory in which other users could rename the barrier is rejected', async () => {
  chmodSync(directory, 0o777);
  const line = `other users could replace the barrier in ${directory}; set TMPDIR to a directory of your own for all processes`;
  for (const act of [() => createLocalGroup(2), () => join(), deleteLocalGroup])
    await expect(act()).rejects.toMatchObject({ line });
  expect(readdirSync(directory)).toEqual([]);
});
