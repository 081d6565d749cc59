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

/** In this time a process that wrongly does not wait shows it. No test fails if it is too short. */
const A_WHILE_MS = 150;
const HOME = `gobonnie-group-${process.geteuid?.()}`;

const root = mkdtempSync(path.join(os.tmpdir(), 'test-'));
const program = path.join(root, 'child.mjs');

beforeAll(() => {
  const entry = fileURLToPath(new URL('local-group-child.ts', import.meta.url));
  buildSync({ entryPoints: [entry], bundle: true, platform: 'node', format: 'esm', outfile: program });
});

afterAll(() => rmSync(root, { recursive: true }));

/** A real process that takes part. It answers `done` or the line of an error. */
interface Party {
  readonly pid: number;
  readonly child: ChildProcess;
  act(act: ChildCommand['act'], value?: string): Promise<string>;
  kill(): Promise<void>;
}

/** A process with `directory` as its temporary directory. */
function partyIn(directory: string): Party {
  const child = fork(program, [], { env: { ...process.env, TMPDIR: directory } });
  const answers = new Map<number, (line: string) => void>();
  let orders = 0;
  child.on('message', ({ number, line }: ChildReply) => answers.get(number)?.(line));
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
        orders += 1;
        answers.set(orders, resolve);
        child.send({ number: orders, act, value } satisfies ChildCommand);
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

/** Resolves when this many have joined. */
async function joinedBy(directory: string, count: number): Promise<void> {
  const joining = () => namesBelow(directory).filter((name) => /member\.\d+\/state$/.test(name));
  await vi.waitUntil(() => joining().length === count, 100_000);
}

/** Processes that have all joined a meeting. */
async function joined<const Names extends readonly string[]>(directory: string, ...names: Names) {
  const parties = names.map(() => partyIn(directory));
  expect(await parties[0]?.act('make', String(names.length))).toBe('done');
  expect(await Promise.all(parties.map((party) => party.act('join')))).toEqual(names.map(() => 'done'));
  return Object.fromEntries(names.map((name, at) => [name, parties[at]])) as Record<Names[number], Party>;
}

/** The entries of the temporary directory. */
function leftIn(directory: string): readonly string[] {
  return readdirSync(directory).filter((name) => name.startsWith('gobonnie-'));
}

/** Records when a promise settles, to see who still waits. */
function noting(answer: Promise<string>): { readonly answer: Promise<string>; readonly lines: string[] } {
  const lines: string[] = [];
  void answer.then((line) => lines.push(line));
  return { answer, lines };
}

describe('the processes in a meeting', () => {
  test('start each phase together: none starts the next before all have reached this one', async () => {
    const directory = makeDirectory();
    const { a, b, c } = await joined(directory, 'a', 'b', 'c');
    const phases = ['putc', 'write', 'rewrite', 'getc', 'read', 'seeks'];
    const log: string[] = [];
    const runs = [a, b, c].map(async (party, at) => {
      for (const [number, phase] of phases.entries()) {
        // Each is the slowest in turn.
        if (number % 3 === at) await setTimeout(30);
        log.push(`come to ${phase}`);
        expect(await party.act('wait', phase)).toBe('done');
        log.push(`in ${phase}`);
      }
      expect(await party.act('leave')).toBe('done');
    });
    await Promise.all(runs);
    for (const phase of phases)
      expect(log.lastIndexOf(`come to ${phase}`)).toBeLessThan(log.indexOf(`in ${phase}`));
    expect(log).toHaveLength(36);
    expect(leftIn(directory)).toEqual([]);
  });

  test('wait until the last has joined', async () => {
    const directory = makeDirectory();
    const [a, b, c] = [partyIn(directory), partyIn(directory), partyIn(directory)];
    await a.act('make', '3');
    const [first, second] = [noting(a.act('join')), noting(b.act('join'))];
    await setTimeout(A_WHILE_MS);
    expect([...first.lines, ...second.lines]).toEqual([]);
    expect(await c.act('join')).toBe('done');
    expect(await Promise.all([first.answer, second.answer])).toEqual(['done', 'done']);
  });

  test('can repeat a phase', async () => {
    const { a, b } = await joined(makeDirectory(), 'a', 'b');
    await Promise.all([a.act('wait', 'write'), b.act('wait', 'write')]);
    const again = noting(a.act('wait', 'write'));
    await setTimeout(A_WHILE_MS);
    expect(again.lines).toEqual([]);
    expect(await b.act('wait', 'write')).toBe('done');
    expect(await again.answer).toBe('done');
  });

  test('make room for others when the last of them has left', async () => {
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

describe('the others continue', () => {
  test.each(['leave', 'kill'] as const)('when one ends during a phase: %s', async (way) => {
    const { a, b, c } = await joined(makeDirectory(), 'a', 'b', 'c');
    await Promise.all([a, b, c].map((party) => party.act('wait', 'putc')));
    const waiting = [noting(a.act('wait', 'write')), noting(b.act('wait', 'write'))];
    await setTimeout(A_WHILE_MS);
    expect(waiting.flatMap(({ lines }) => lines)).toEqual([]);
    await (way === 'kill' ? c.kill() : c.act('leave'));
    expect(await Promise.all(waiting.map(({ answer }) => answer))).toEqual(['done', 'done']);
    expect(await Promise.all([a.act('wait', 'read'), b.act('wait', 'read')])).toEqual(['done', 'done']);
  });

  test('when one is killed while it waits', async () => {
    const { a, b, c } = await joined(makeDirectory(), 'a', 'b', 'c');
    void c.act('wait', 'putc');
    const waiting = noting(a.act('wait', 'putc'));
    await setTimeout(A_WHILE_MS);
    await c.kill();
    await setTimeout(A_WHILE_MS);
    expect(waiting.lines).toEqual([]);
    expect(await b.act('wait', 'putc')).toBe('done');
    expect(await waiting.answer).toBe('done');
    expect(await Promise.all([a.act('wait', 'write'), b.act('wait', 'write')])).toEqual(['done', 'done']);
  });

  test('when one is killed before the last has joined', async () => {
    const directory = makeDirectory();
    const [a, b, c] = [partyIn(directory), partyIn(directory), partyIn(directory)];
    await a.act('make', '3');
    void a.act('join');
    const waiting = noting(b.act('join'));
    await joinedBy(directory, 2);
    await a.kill();
    expect(waiting.lines).toEqual([]);
    expect(await c.act('join')).toBe('done');
    expect(await waiting.answer).toBe('done');
    expect(await Promise.all([b.act('wait', 'putc'), c.act('wait', 'putc')])).toEqual(['done', 'done']);
  });

  test('only when a stopped process continues, as it is alive', async () => {
    const { a, b } = await joined(makeDirectory(), 'a', 'b');
    b.child.kill('SIGSTOP');
    const waiting = noting(a.act('wait', 'putc'));
    await setTimeout(A_WHILE_MS);
    expect(waiting.lines).toEqual([]);
    b.child.kill('SIGCONT');
    expect(await b.act('wait', 'putc')).toBe('done');
    expect(await waiting.answer).toBe('done');
  });
});

describe('making a meeting', () => {
  test('creates files that only this user can read or write', async () => {
    const directory = makeDirectory();
    await partyIn(directory).act('make', '2');
    const places = readdirSync(directory, { recursive: true, encoding: 'utf8' });
    expect(places.filter((name) => name.startsWith(HOME))).toHaveLength(3);
    expect(places.filter((name) => (statSync(path.join(directory, name)).mode & 0o077) !== 0)).toEqual([]);
  });

  test('outlasts the process that made it', async () => {
    const directory = makeDirectory();
    const maker = partyIn(directory);
    await maker.act('make', '1');
    await maker.kill();
    const a = partyIn(directory);
    expect(await a.act('join')).toBe('done');
    expect(await a.act('wait', 'putc')).toBe('done');
  });

  test('again, before any process has joined, changes its size', async () => {
    const directory = makeDirectory();
    const [a, b] = [partyIn(directory), partyIn(directory)];
    await a.act('make', '3');
    await a.act('make', '2');
    expect(await Promise.all([a.act('join'), b.act('join')])).toEqual(['done', 'done']);
  });

  test('is refused while a process takes part, and does not disturb it', async () => {
    const directory = makeDirectory();
    const { a, b } = await joined(directory, 'a', 'b');
    await b.kill();
    const line = await partyIn(directory).act('make', '2');
    expect(line).toBe(
      `a meeting is in use by process ${a.pid}; wait until it has ended, or remove it with -p -1`,
    );
    expect(await a.act('wait', 'putc')).toBe('done');
  });

  test('replaces a meeting whose processes are dead', async () => {
    const directory = makeDirectory();
    const { a, b } = await joined(directory, 'a', 'b');
    await Promise.all([a.kill(), b.kill()]);
    const next = partyIn(directory);
    expect(await next.act('make', '1')).toBe('done');
    expect(await next.act('join')).toBe('done');
    await next.act('leave');
    expect(leftIn(directory)).toEqual([]);
  });

  test('by several processes at once leaves one meeting', async () => {
    const directory = makeDirectory();
    const makers = [1, 2, 3, 4].map(() => partyIn(directory));
    for (let round = 0; round < 10; round++) {
      expect(new Set(await Promise.all(makers.map((party) => party.act('make', '4'))))).toEqual(
        new Set(['done']),
      );
      expect(readdirSync(path.join(directory, HOME, 'now'))).toHaveLength(1);
    }
    expect(await Promise.all(makers.map((party) => party.act('join')))).toEqual(makers.map(() => 'done'));
  });
});

describe('joining a meeting', () => {
  test('that does not exist fails with a hint to use -p', async () => {
    const directory = makeDirectory();
    expect(await partyIn(directory).act('join')).toBe(
      'there is no meeting to join; make one first, as the same user, with -p N',
    );
    expect(leftIn(directory)).toEqual([]);
  });

  test('whose processes are all dead is refused, and removes it', async () => {
    const directory = makeDirectory();
    const { a, b } = await joined(directory, 'a', 'b');
    await Promise.all([a.kill(), b.kill()]);
    expect(await partyIn(directory).act('join')).toContain('no meeting to join');
    expect(leftIn(directory)).toEqual([]);
  });

  test('that is full is refused, even if one of its processes has died', async () => {
    const directory = makeDirectory();
    const { a, b } = await joined(directory, 'a', 'b');
    const line =
      'the meeting is for 2 processes, and as many have joined already; when they have ended, make a larger one with -p N';
    expect(await partyIn(directory).act('join')).toBe(line);
    await b.kill();
    expect(await partyIn(directory).act('join')).toBe(line);
    expect(await a.act('wait', 'putc')).toBe('done');
  });

  test('by too many processes at once succeeds for as many as it is for', async () => {
    const directory = makeDirectory();
    const parties = [1, 2, 3, 4, 5].map(() => partyIn(directory));
    await parties[0]?.act('make', '3');
    const lines = await Promise.all(parties.map((party) => party.act('join')));
    expect(lines.filter((line) => line === 'done')).toHaveLength(3);
    expect(lines.filter((line) => line.includes('is for 3 processes'))).toHaveLength(2);
  });

  test('and running different tests is an error, and no process hangs', async () => {
    const { a, b } = await joined(makeDirectory(), 'a', 'b');
    const waiting = a.act('wait', 'putc');
    const lines = [await b.act('wait', 'write')];
    await b.act('leave');
    lines.push(await waiting);
    expect(lines).toContain(
      `this process is at write and process ${a.pid} at putc, so they would wait forever; run the same tests in all processes`,
    );
  });
});

describe('an abort while waiting', () => {
  test('for the others to join leaves no files', async () => {
    const directory = makeDirectory();
    const [a, b] = [partyIn(directory), partyIn(directory)];
    await a.act('make', '3');
    const waiting = [a.act('join'), b.act('join')];
    await joinedBy(directory, 2);
    await Promise.all([a.act('abort'), b.act('abort')]);
    expect(await Promise.all(waiting)).toEqual(['SIGINT', 'SIGINT']);
    expect(leftIn(directory)).toEqual([]);
  });

  test('for a phase leaves no files and lets the others continue', async () => {
    const directory = makeDirectory();
    const { a, b, c } = await joined(directory, 'a', 'b', 'c');
    const [first, second] = [a.act('wait', 'putc'), noting(b.act('wait', 'putc'))];
    await setTimeout(A_WHILE_MS);
    await a.act('abort');
    expect(await first).toBe('SIGINT');
    await a.act('leave');
    expect(second.lines).toEqual([]);
    expect(await c.act('wait', 'putc')).toBe('done');
    expect(await second.answer).toBe('done');
    await Promise.all([b.act('leave'), c.act('leave')]);
    expect(leftIn(directory)).toEqual([]);
  });
});

describe('removing a meeting', () => {
  test('leaves nothing', async () => {
    const directory = makeDirectory();
    const a = partyIn(directory);
    await a.act('make', '3');
    expect(leftIn(directory)).toEqual([HOME]);
    expect(await a.act('remove')).toBe('done');
    expect(leftIn(directory)).toEqual([]);
  });

  test('says when there is nothing to remove', async () => {
    expect(await partyIn(makeDirectory()).act('remove')).toBe(
      'there is no meeting to remove; the last process to leave removes it; make one with -p N',
    );
  });

  test('is reported to processes that wait, and to those that come later', async () => {
    const directory = makeDirectory();
    const { a, b } = await joined(directory, 'a', 'b');
    const waiting = a.act('wait', 'putc');
    await setTimeout(A_WHILE_MS);
    expect(await partyIn(directory).act('remove')).toBe('done');
    const line = 'the meeting was removed before it ended; make a new one with -p N, and start again';
    expect(await waiting).toBe(line);
    expect(await b.act('wait', 'putc')).toBe(line);
    expect(await b.act('leave')).toBe('done');
    expect(leftIn(directory)).toEqual([]);
  });

  test('is reported to processes that wait for the others to join', async () => {
    const directory = makeDirectory();
    const a = partyIn(directory);
    await a.act('make', '2');
    const waiting = a.act('join');
    await joinedBy(directory, 1);
    await partyIn(directory).act('remove');
    expect(await waiting).toContain('was removed before it ended');
  });
});

describe('anything else in place of the meeting directory is refused and left as it is:', () => {
  const acts = [
    ['make', '2'],
    ['join', ''],
    ['remove', ''],
  ] as const;

  async function linesOf(directory: string): Promise<readonly string[]> {
    const party = partyIn(directory);
    const lines: string[] = [];
    for (const [act, value] of acts) lines.push(await party.act(act, value));
    return lines;
  }

  function refusal(directory: string, what: string): readonly string[] {
    const line = `${path.join(directory, HOME)} ${what}, so it cannot be used for a meeting; remove it, or set TMPDIR to another directory for all processes`;
    return acts.map(() => line);
  }

  /** A directory with an entry that a sweep would remove. */
  function swept(): string {
    const directory = makeDirectory();
    mkdirSync(path.join(directory, 'gone.1'));
    return directory;
  }

  test.each<[string, (home: string) => void, string]>([
    ['a link', (home) => symlinkSync(swept(), home), 'is not a directory'],
    ['a dangling link', (home) => symlinkSync('/nowhere', home), 'is not a directory'],
    ['a file', (home) => writeFileSync(home, ''), 'is not a directory'],
    [
      'a directory that others may write to',
      (home) => {
        renameSync(swept(), home);
        chmodSync(home, 0o770);
      },
      'can be written to by other users',
    ],
  ])('%s', async (_, put, what) => {
    const directory = makeDirectory();
    const home = path.join(directory, HOME);
    put(home);
    const seen = () => [lstatSync(home).ino, lstatSync(home).mode, existsSync(path.join(home, 'gone.1'))];
    const before = seen();
    expect(await linesOf(directory)).toEqual(refusal(directory, what));
    expect(seen()).toEqual(before);
  });

  test('a directory that appears after the check', async () => {
    const home = path.join(makeDirectory(), HOME);
    mkdirSync(home);
    chmodSync(home, 0o777);
    expect(() => makeGroup(home, 2)).toThrow('can be written to by other users');
    expect(readdirSync(home)).toEqual([]);
  });

  test('a temporary directory that others can change at any moment', async () => {
    const directory = makeDirectory();
    chmodSync(directory, 0o777);
    const line = `other users could replace ${path.join(directory, HOME)}; set TMPDIR to a directory of your own for all processes`;
    expect(await linesOf(directory)).toEqual(acts.map(() => line));
    expect(readdirSync(directory)).toEqual([]);
  });

  describe("another user's directory", () => {
    beforeEach(requireTools('root'));

    test('with a complete meeting in it', async () => {
      const directory = makeDirectory();
      await joined(directory, 'a', 'b');
      chownSync(path.join(directory, HOME), 65_534, 65_534);
      expect(await linesOf(directory)).toEqual(refusal(directory, 'belongs to another user'));
    });
  });

  test('an unknown directory where the meeting would be', async () => {
    const directory = makeDirectory();
    mkdirSync(path.join(directory, HOME, 'now', 'else'), { recursive: true, mode: 0o700 });
    expect(await partyIn(directory).act('make', '2')).toBe(
      `${path.join(directory, HOME)} contains something that is not a meeting; remove it`,
    );
  });
});

describe('kill -9 at any moment', () => {
  beforeEach(requireTools('strace'));

  /** The calls under their names on all architectures. */
  const calls = {
    mkdir: '?mkdir,?mkdirat',
    rename: '?rename,?renameat,?renameat2',
    unlink: '?unlink,?unlinkat',
    rmdir: '?rmdir,?unlinkat',
  } as const;
  type Call = keyof typeof calls;

  const part = ['join', 'wait:write', 'leave'] as const;

  function run(directory: string, words: readonly string[], as: readonly string[] = []) {
    return startProcess(process.execPath, [program, ...words], {
      as,
      env: { ...process.env, TMPDIR: directory },
    }).exitResult;
  }

  /** Kills a process before its `when`th call of this kind. False if it ended without it. */
  async function isKilledAt(call: Call, when: number, directory: string, words: readonly string[]) {
    const inject = [`--trace=${calls[call]}`, `--inject=${calls[call]}:signal=KILL:when=${when}`];
    const as = ['strace', '--follow-forks', '-qqq', '--output=/dev/null', ...inject];
    const { signal, exitCode, stderr } = await run(directory, words, as);
    if (signal !== 'SIGKILL') expect(`${exitCode} ${stderr}`).toBe('0 ');
    return signal === 'SIGKILL';
  }

  async function expectAnew(directory: string): Promise<void> {
    expect(await run(directory, ['make:1', ...part])).toMatchObject({ exitCode: 0, stderr: '' });
    expect(leftIn(directory)).toEqual([]);
  }

  /** Repeats with the next call until the process survives, and returns how often it was killed. */
  async function eachMoment(isKilled: (when: number, directory: string) => Promise<boolean>) {
    for (let when = 1; ; when++) {
      const directory = makeDirectory();
      const wasKilled = await isKilled(when, directory);
      await expectAnew(directory);
      if (!wasKilled) return when - 1;
    }
  }

  /** A process that takes part and, if it was killed, another in its place, which joins only if the first had not. */
  async function victim(call: Call, when: number, directory: string): Promise<boolean> {
    const isKilled = await isKilledAt(call, when, directory, part);
    if (isKilled) await run(directory, part);
    return isKilled;
  }

  async function hasMember(directory: string): Promise<void> {
    if (namesBelow(path.join(directory, HOME)).some((name) => name.endsWith('member.0'))) return;
    await setTimeout(10);
    return hasMember(directory);
  }

  test.each(['mkdir', 'rename'] as const)(
    'of the process that makes the meeting, before a %s',
    async (call) => {
      const kills = await eachMoment((when, directory) => isKilledAt(call, when, directory, ['make:2']));
      expect(kills).toBeGreaterThan(0);
    },
  );

  test.each(['mkdir', 'rename', 'rmdir'] as const)(
    'of a process that takes part, before a %s: the other continues',
    async (call) => {
      const kills = await eachMoment(async (when, directory) => {
        await run(directory, ['make:2']);
        const other = run(directory, part);
        await hasMember(directory);
        const isKilled = await victim(call, when, directory);
        expect(await other).toMatchObject({ exitCode: 0, stderr: '' });
        return isKilled;
      });
      expect(kills).toBeGreaterThan(0);
    },
  );

  test.each(['rename', 'unlink', 'rmdir'] as const)('of the last process, before a %s', async (call) => {
    const words = ['make:1', ...part];
    const kills = await eachMoment((when, directory) => isKilledAt(call, when, directory, words));
    expect(kills).toBeGreaterThan(0);
  });
});
