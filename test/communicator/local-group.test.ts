import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { makeGroup } from '../../src/communicator/local-group-directory.js';
import { makeDirectory } from '../support/disks/directory.js';
import { startProcess } from '../support/programs/program.js';
import { requireTools } from '../support/tools.js';
import type { ChildCommand, ChildReply } from './local-group-child.js';

/** Time in which a process that wrongly does not wait would continue. No test fails if it is too short. */
const A_WHILE_MS = 150;
const HOME = `gobonnie-group-${process.geteuid?.()}`;

const root = mkdtempSync(path.join(os.tmpdir(), 'test-'));
const program = path.join(root, 'child.mjs');

beforeAll(() => {
  const entry = fileURLToPath(new URL('local-group-child.ts', import.meta.url));
  buildSync({ entryPoints: [entry], bundle: true, platform: 'node', format: 'esm', outfile: program });
});

afterAll(() => rmSync(root, { recursive: true }));

/** A real process that takes commands. It replies `done`, or the error as one line. */
interface Party {
  readonly pid: number;
  readonly child: ChildProcess;
  act(act: ChildCommand['act'], value?: string): Promise<string>;
  kill(): Promise<void>;
}

/** Starts a process with `directory` as its temporary directory. */
function partyIn(directory: string): Party {
  const child = fork(program, [], { env: { ...process.env, TMPDIR: directory } });
  const resolvers = new Map<number, (line: string) => void>();
  let commandCount = 0;
  child.on('message', ({ number, line }: ChildReply) => resolvers.get(number)?.(line));
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  onTestFinished(kill);
  return {
    pid: child.pid ?? 0,
    child,
    kill,
    act: (act, value = '') =>
      new Promise((resolve) => {
        commandCount += 1;
        resolvers.set(commandCount, resolve);
        child.send({ number: commandCount, act, value } satisfies ChildCommand);
      }),
  };
}

/** Empty if something is renamed during the search. */
function namesBelow(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { recursive: true, encoding: 'utf8' });
  } catch {
    return [];
  }
}

/** Resolves when this many processes have joined. */
async function waitForJoined(directory: string, count: number): Promise<void> {
  const states = () => namesBelow(directory).filter((name) => /rank\.\d+\/state$/.test(name));
  await vi.waitUntil(() => states().length === count, 100_000);
}

/** Processes that have all joined a barrier. */
async function joined<const Names extends readonly string[]>(directory: string, ...names: Names) {
  const parties = names.map(() => partyIn(directory));
  expect(await parties[0]?.act('create', String(names.length))).toBe('done');
  expect(await Promise.all(parties.map((party) => party.act('join')))).toEqual(names.map(() => 'done'));
  return Object.fromEntries(names.map((name, at) => [name, parties[at]])) as Record<Names[number], Party>;
}

/** The entries of gobonnie in the temporary directory. */
function entriesIn(directory: string): readonly string[] {
  return readdirSync(directory).filter((name) => name.startsWith('gobonnie-'));
}

/** Collects the reply; `lines` is empty while the process waits. */
function watch(reply: Promise<string>): { readonly reply: Promise<string>; readonly lines: string[] } {
  const lines: string[] = [];
  void reply.then((line) => lines.push(line));
  return { reply, lines };
}

describe('the processes of a barrier', () => {
  test('start each phase together: no process starts it before all processes have reached it', async () => {
    const directory = makeDirectory();
    const { a, b, c } = await joined(directory, 'a', 'b', 'c');
    const phases = ['putc', 'write', 'rewrite', 'getc', 'read', 'seeks'];
    const log: string[] = [];
    const runs = [a, b, c].map(async (party, at) => {
      for (const [number, phase] of phases.entries()) {
        // Each process is the slowest in turn.
        if (number % 3 === at) await setTimeout(30);
        log.push(`reached ${phase}`);
        expect(await party.act('wait', phase)).toBe('done');
        log.push(`in ${phase}`);
      }
      expect(await party.act('leave')).toBe('done');
    });
    await Promise.all(runs);
    for (const phase of phases)
      expect(log.lastIndexOf(`reached ${phase}`)).toBeLessThan(log.indexOf(`in ${phase}`));
    expect(log).toHaveLength(36);
    expect(entriesIn(directory)).toEqual([]);
  });

  test('wait until the last process has joined', async () => {
    const directory = makeDirectory();
    const a = partyIn(directory);
    const b = partyIn(directory);
    const c = partyIn(directory);
    await a.act('create', '3');
    const first = watch(a.act('join'));
    const second = watch(b.act('join'));
    await setTimeout(A_WHILE_MS);
    expect([...first.lines, ...second.lines]).toEqual([]);
    expect(await c.act('join')).toBe('done');
    expect(await Promise.all([first.reply, second.reply])).toEqual(['done', 'done']);
  });

  test('can repeat a phase', async () => {
    const { a, b } = await joined(makeDirectory(), 'a', 'b');
    await Promise.all([a.act('wait', 'write'), b.act('wait', 'write')]);
    const again = watch(a.act('wait', 'write'));
    await setTimeout(A_WHILE_MS);
    expect(again.lines).toEqual([]);
    expect(await b.act('wait', 'write')).toBe('done');
    expect(await again.reply).toBe('done');
  });

  test('allow a new barrier once the last process has left', async () => {
    const directory = makeDirectory();
    const first = await joined(directory, 'a', 'b', 'c');
    await Promise.all(Object.values(first).map((party) => party.act('leave')));
    const next = await joined(directory, 'a', 'b', 'c');
    expect(await Promise.all(Object.values(next).map((party) => party.act('wait', 'write')))).toEqual([
      'done',
      'done',
      'done',
    ]);
  });
});

describe('the other processes continue', () => {
  test.each(['leave', 'kill'] as const)('when one process ends during a phase: %s', async (way) => {
    const { a, b, c } = await joined(makeDirectory(), 'a', 'b', 'c');
    await Promise.all([a, b, c].map((party) => party.act('wait', 'putc')));
    const waiting = [watch(a.act('wait', 'write')), watch(b.act('wait', 'write'))];
    await setTimeout(A_WHILE_MS);
    expect(waiting.flatMap(({ lines }) => lines)).toEqual([]);
    await (way === 'kill' ? c.kill() : c.act('leave'));
    expect(await Promise.all(waiting.map(({ reply }) => reply))).toEqual(['done', 'done']);
    expect(await Promise.all([a.act('wait', 'read'), b.act('wait', 'read')])).toEqual(['done', 'done']);
  });

  test('when one process is killed while it waits', async () => {
    const { a, b, c } = await joined(makeDirectory(), 'a', 'b', 'c');
    void c.act('wait', 'putc');
    const waiting = watch(a.act('wait', 'putc'));
    await setTimeout(A_WHILE_MS);
    await c.kill();
    await setTimeout(A_WHILE_MS);
    expect(waiting.lines).toEqual([]);
    expect(await b.act('wait', 'putc')).toBe('done');
    expect(await waiting.reply).toBe('done');
    expect(await Promise.all([a.act('wait', 'write'), b.act('wait', 'write')])).toEqual(['done', 'done']);
  });

  test('when one process is killed before the last has joined', async () => {
    const directory = makeDirectory();
    const a = partyIn(directory);
    const b = partyIn(directory);
    const c = partyIn(directory);
    await a.act('create', '3');
    void a.act('join');
    const waiting = watch(b.act('join'));
    await waitForJoined(directory, 2);
    await a.kill();
    expect(waiting.lines).toEqual([]);
    expect(await c.act('join')).toBe('done');
    expect(await waiting.reply).toBe('done');
    expect(await Promise.all([b.act('wait', 'putc'), c.act('wait', 'putc')])).toEqual(['done', 'done']);
  });

  test('only when a stopped process continues, because it is alive', async () => {
    const { a, b } = await joined(makeDirectory(), 'a', 'b');
    b.child.kill('SIGSTOP');
    const waiting = watch(a.act('wait', 'putc'));
    await setTimeout(A_WHILE_MS);
    expect(waiting.lines).toEqual([]);
    b.child.kill('SIGCONT');
    expect(await b.act('wait', 'putc')).toBe('done');
    expect(await waiting.reply).toBe('done');
  });
});

describe('creating a barrier', () => {
  test('creates files that only this user can read or write', async () => {
    const directory = makeDirectory();
    await partyIn(directory).act('create', '2');
    const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
    expect(names.filter((name) => name.startsWith(HOME))).toHaveLength(3);
    expect(names.filter((name) => (statSync(path.join(directory, name)).mode & 0o077) !== 0)).toEqual([]);
  });

  test('by a process that then dies leaves it usable', async () => {
    const directory = makeDirectory();
    const maker = partyIn(directory);
    await maker.act('create', '1');
    await maker.kill();
    const a = partyIn(directory);
    expect(await a.act('join')).toBe('done');
    expect(await a.act('wait', 'putc')).toBe('done');
  });

  test('again, before any process has joined, changes its size', async () => {
    const directory = makeDirectory();
    const a = partyIn(directory);
    const b = partyIn(directory);
    await a.act('create', '3');
    await a.act('create', '2');
    expect(await Promise.all([a.act('join'), b.act('join')])).toEqual(['done', 'done']);
  });

  test('is rejected while a process uses the barrier, and does not disturb that process', async () => {
    const directory = makeDirectory();
    const { a, b } = await joined(directory, 'a', 'b');
    await b.kill();
    const line = await partyIn(directory).act('create', '2');
    expect(line).toBe(
      `a barrier is in use by process ${a.pid}; wait until it has ended, or remove the barrier with -p -1`,
    );
    expect(await a.act('wait', 'putc')).toBe('done');
  });

  test('replaces a barrier whose processes are dead', async () => {
    const directory = makeDirectory();
    const { a, b } = await joined(directory, 'a', 'b');
    await Promise.all([a.kill(), b.kill()]);
    const next = partyIn(directory);
    expect(await next.act('create', '1')).toBe('done');
    expect(await next.act('join')).toBe('done');
    await next.act('leave');
    expect(entriesIn(directory)).toEqual([]);
  });

  test('by several processes at once results in one barrier', async () => {
    const directory = makeDirectory();
    const makers = [1, 2, 3, 4].map(() => partyIn(directory));
    for (let round = 0; round < 10; round++) {
      expect(new Set(await Promise.all(makers.map((party) => party.act('create', '4'))))).toEqual(
        new Set(['done']),
      );
      expect(readdirSync(path.join(directory, HOME, 'now'))).toHaveLength(1);
    }
    expect(await Promise.all(makers.map((party) => party.act('join')))).toEqual(makers.map(() => 'done'));
  });
});

describe('joining a barrier', () => {
  test('that does not exist fails with a hint to use -p', async () => {
    const directory = makeDirectory();
    expect(await partyIn(directory).act('join')).toBe(
      'there is no barrier to join; create one first, as the same user, with -p N',
    );
    expect(entriesIn(directory)).toEqual([]);
  });

  test('whose processes are all dead fails, and removes the barrier', async () => {
    const directory = makeDirectory();
    const { a, b } = await joined(directory, 'a', 'b');
    await Promise.all([a.kill(), b.kill()]);
    expect(await partyIn(directory).act('join')).toContain('no barrier to join');
    expect(entriesIn(directory)).toEqual([]);
  });

  test('that is full fails, even if one of its processes has died', async () => {
    const directory = makeDirectory();
    const { a, b } = await joined(directory, 'a', 'b');
    const line =
      'all 2 processes of this barrier have already joined; when they have ended, create a larger barrier with -p N';
    expect(await partyIn(directory).act('join')).toBe(line);
    await b.kill();
    expect(await partyIn(directory).act('join')).toBe(line);
    expect(await a.act('wait', 'putc')).toBe('done');
  });

  test('by five processes at once succeeds for three of them if its size is three', async () => {
    const directory = makeDirectory();
    const parties = [1, 2, 3, 4, 5].map(() => partyIn(directory));
    await parties[0]?.act('create', '3');
    const lines = await Promise.all(parties.map((party) => party.act('join')));
    expect(lines.filter((line) => line === 'done')).toHaveLength(3);
    expect(
      lines.filter((line) => line.includes('all 3 processes of this barrier have already joined')),
    ).toHaveLength(2);
  });

  test('to run different tests is an error, and no process hangs', async () => {
    const { a, b } = await joined(makeDirectory(), 'a', 'b');
    const waiting = a.act('wait', 'putc');
    const lines = [await b.act('wait', 'write')];
    await b.act('leave');
    lines.push(await waiting);
    expect(lines).toContain(
      `phase mismatch: this process is at write, process ${a.pid} is at putc; run the same tests in all processes`,
    );
  });
});

describe('an abort while waiting', () => {
  test('for the other processes to join leaves no files', async () => {
    const directory = makeDirectory();
    const a = partyIn(directory);
    const b = partyIn(directory);
    await a.act('create', '3');
    const waiting = [a.act('join'), b.act('join')];
    await waitForJoined(directory, 2);
    await Promise.all([a.act('abort'), b.act('abort')]);
    expect(await Promise.all(waiting)).toEqual(['SIGINT', 'SIGINT']);
    expect(entriesIn(directory)).toEqual([]);
  });

  test('for a phase leaves no files and lets the other processes continue', async () => {
    const directory = makeDirectory();
    const { a, b, c } = await joined(directory, 'a', 'b', 'c');
    const first = a.act('wait', 'putc');
    const second = watch(b.act('wait', 'putc'));
    await setTimeout(A_WHILE_MS);
    await a.act('abort');
    expect(await first).toBe('SIGINT');
    await a.act('leave');
    expect(second.lines).toEqual([]);
    expect(await c.act('wait', 'putc')).toBe('done');
    expect(await second.reply).toBe('done');
    await Promise.all([b.act('leave'), c.act('leave')]);
    expect(entriesIn(directory)).toEqual([]);
  });
});

describe('removing a barrier', () => {
  test('leaves no files', async () => {
    const directory = makeDirectory();
    const a = partyIn(directory);
    await a.act('create', '3');
    expect(entriesIn(directory)).toEqual([HOME]);
    expect(await a.act('remove')).toBe('done');
    expect(entriesIn(directory)).toEqual([]);
  });

  test('fails if no barrier exists', async () => {
    expect(await partyIn(makeDirectory()).act('remove')).toBe(
      'there is no barrier to remove; the last process to leave removes it; create one with -p N',
    );
  });

  test('is reported to waiting processes, and to processes that reach a phase later', async () => {
    const directory = makeDirectory();
    const { a, b } = await joined(directory, 'a', 'b');
    const waiting = a.act('wait', 'putc');
    await setTimeout(A_WHILE_MS);
    expect(await partyIn(directory).act('remove')).toBe('done');
    const line = 'the barrier was removed while in use; create a new one with -p N, and start again';
    expect(await waiting).toBe(line);
    expect(await b.act('wait', 'putc')).toBe(line);
    expect(await b.act('leave')).toBe('done');
    expect(entriesIn(directory)).toEqual([]);
  });

  test('is reported to processes that wait for other processes to join', async () => {
    const directory = makeDirectory();
    const a = partyIn(directory);
    await a.act('create', '2');
    const waiting = a.act('join');
    await waitForJoined(directory, 1);
    await partyIn(directory).act('remove');
    expect(await waiting).toContain('the barrier was removed while in use');
  });
});

describe('in place of the barrier directory, the following is rejected and left unchanged:', () => {
  const acts = [
    ['create', '2'],
    ['join', ''],
    ['remove', ''],
  ] as const;

  async function tryAll(directory: string): Promise<readonly string[]> {
    const party = partyIn(directory);
    const lines: string[] = [];
    for (const [act, value] of acts) lines.push(await party.act(act, value));
    return lines;
  }

  function expectedLines(directory: string, problem: string): readonly string[] {
    const line = `${path.join(directory, HOME)} ${problem}, so it cannot hold a barrier; remove it, or set TMPDIR to another directory for all processes`;
    return acts.map(() => line);
  }

  /** A directory with an entry that gobonnie would remove if it trusted the directory. */
  function directoryWithStaleEntry(): string {
    const directory = makeDirectory();
    mkdirSync(path.join(directory, 'gone.1'));
    return directory;
  }

  test.each<[string, (home: string) => void, string]>([
    ['a link', (home) => symlinkSync(directoryWithStaleEntry(), home), 'is not a directory'],
    ['a dangling link', (home) => symlinkSync('/nowhere', home), 'is not a directory'],
    ['a file', (home) => writeFileSync(home, ''), 'is not a directory'],
    [
      'a directory that other users may write to',
      (home) => {
        renameSync(directoryWithStaleEntry(), home);
        chmodSync(home, 0o770);
      },
      'is writable by other users',
    ],
  ])('%s', async (_, create, problem) => {
    const directory = makeDirectory();
    const home = path.join(directory, HOME);
    create(home);
    const facts = () => [lstatSync(home).ino, lstatSync(home).mode, existsSync(path.join(home, 'gone.1'))];
    const before = facts();
    expect(await tryAll(directory)).toEqual(expectedLines(directory, problem));
    expect(facts()).toEqual(before);
  });

  test('a directory that appears after the check', async () => {
    const home = path.join(makeDirectory(), HOME);
    mkdirSync(home);
    chmodSync(home, 0o777);
    expect(() => makeGroup(home, 2)).toThrow('is writable by other users');
    expect(readdirSync(home)).toEqual([]);
  });

  test('a temporary directory that other users can change', async () => {
    const directory = makeDirectory();
    chmodSync(directory, 0o777);
    const line = `other users could replace ${path.join(directory, HOME)}; set TMPDIR to a directory of your own for all processes`;
    expect(await tryAll(directory)).toEqual(acts.map(() => line));
    expect(readdirSync(directory)).toEqual([]);
  });

  describe("another user's directory", () => {
    beforeEach(requireTools('root'));

    test('with a complete barrier in it', async () => {
      const directory = makeDirectory();
      await joined(directory, 'a', 'b');
      chownSync(path.join(directory, HOME), 65_534, 65_534);
      expect(await tryAll(directory)).toEqual(expectedLines(directory, 'belongs to another user'));
    });
  });

  test('an unknown directory where the barrier would be', async () => {
    const directory = makeDirectory();
    mkdirSync(path.join(directory, HOME, 'now', 'else'), { recursive: true, mode: 0o700 });
    expect(await partyIn(directory).act('create', '2')).toBe(
      `${path.join(directory, HOME)} contains something that is not a barrier; remove it`,
    );
  });
});

describe('the barrier can be created again after kill -9', () => {
  beforeEach(requireTools('strace'));

  /** Names of each system call on all architectures. */
  const calls = {
    mkdir: '?mkdir,?mkdirat',
    rename: '?rename,?renameat,?renameat2',
    unlink: '?unlink,?unlinkat',
    rmdir: '?rmdir,?unlinkat',
  } as const;
  type Call = keyof typeof calls;

  const participate = ['join', 'wait:write', 'leave'] as const;

  function run(directory: string, words: readonly string[], as: readonly string[] = []) {
    return startProcess(process.execPath, [program, ...words], {
      as,
      env: { ...process.env, TMPDIR: directory },
    }).exitResult;
  }

  /** Kills a process before its `when`th call of this kind. False if the process made fewer calls. */
  async function isKilledAt(call: Call, when: number, directory: string, words: readonly string[]) {
    const inject = [`--trace=${calls[call]}`, `--inject=${calls[call]}:signal=KILL:when=${when}`];
    const as = ['strace', '--follow-forks', '-qqq', '--output=/dev/null', ...inject];
    const { signal, exitCode, stderr } = await run(directory, words, as);
    if (signal !== 'SIGKILL') expect(`${exitCode} ${stderr}`).toBe('0 ');
    return signal === 'SIGKILL';
  }

  async function expectReusable(directory: string): Promise<void> {
    expect(await run(directory, ['create:1', ...participate])).toMatchObject({ exitCode: 0, stderr: '' });
    expect(entriesIn(directory)).toEqual([]);
  }

  /** Kills a new process at each call in turn, until one survives. Returns the number of kills. */
  async function killAtEachCall(isKilled: (when: number, directory: string) => Promise<boolean>) {
    for (let when = 1; ; when++) {
      const directory = makeDirectory();
      const wasKilled = await isKilled(when, directory);
      await expectReusable(directory);
      if (!wasKilled) return when - 1;
    }
  }

  /** Starts a process and, if it was killed, a replacement, which can join only if the first had not. */
  async function startVictim(call: Call, when: number, directory: string): Promise<boolean> {
    const isKilled = await isKilledAt(call, when, directory, participate);
    if (isKilled) await run(directory, participate);
    return isKilled;
  }

  async function waitForFirst(directory: string): Promise<void> {
    if (namesBelow(path.join(directory, HOME)).some((name) => name.endsWith('rank.0'))) return;
    await setTimeout(10);
    return waitForFirst(directory);
  }

  test.each(['mkdir', 'rename'] as const)('of the process that creates it, before a %s', async (call) => {
    const kills = await killAtEachCall((when, directory) => isKilledAt(call, when, directory, ['create:2']));
    expect(kills).toBeGreaterThan(0);
  });

  test.each(['mkdir', 'rename', 'rmdir'] as const)(
    'of a process that uses it, before a %s: the other process continues',
    async (call) => {
      const kills = await killAtEachCall(async (when, directory) => {
        await run(directory, ['create:2']);
        const other = run(directory, participate);
        await waitForFirst(directory);
        const isKilled = await startVictim(call, when, directory);
        expect(await other).toMatchObject({ exitCode: 0, stderr: '' });
        return isKilled;
      });
      expect(kills).toBeGreaterThan(0);
    },
  );

  test.each(['rename', 'unlink', 'rmdir'] as const)('of the last process, before a %s', async (call) => {
    const words = ['create:1', ...participate];
    const kills = await killAtEachCall((when, directory) => isKilledAt(call, when, directory, words));
    expect(kills).toBeGreaterThan(0);
  });
});
