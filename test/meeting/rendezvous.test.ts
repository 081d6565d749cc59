import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
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
import { makePlace } from '../../src/meeting/meeting-place.js';
import { makeDirectory } from '../support/directory.js';
import { start } from '../support/program.js';
import { needs } from '../support/tool.js';
import type { Answer, Order } from './rendezvous-child.js';

/** Long enough for whoever does not wait to show it; nothing fails when it is too short. */
const A_WHILE_MS = 150;
const HOME = `gobonnie-rendezvous-${process.geteuid?.()}`;

const root = mkdtempSync(path.join(os.tmpdir(), 'test-'));
const program = path.join(root, 'child.mjs');

beforeAll(() => {
  const entry = fileURLToPath(new URL('rendezvous-child.ts', import.meta.url));
  buildSync({ entryPoints: [entry], bundle: true, platform: 'node', format: 'esm', outfile: program });
});

afterAll(() => rmSync(root, { recursive: true }));

/** A real process that takes part; each of its answers is `done` or the line of an error. */
interface Party {
  readonly pid: number;
  readonly child: ChildProcess;
  act(act: Order['act'], value?: string): Promise<string>;
  kill(): Promise<void>;
}

/** Processes whose temporary directory is `directory`. */
function partyIn(directory: string): Party {
  const child = fork(program, [], { env: { ...process.env, TMPDIR: directory } });
  const answers = new Map<number, (line: string) => void>();
  let orders = 0;
  child.on('message', ({ number, line }: Answer) => answers.get(number)?.(line));
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
        child.send({ number: orders, act, value } satisfies Order);
      }),
  };
}

/** Empty where something is renamed while it is looked through. */
function namesBelow(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { recursive: true, encoding: 'utf8' });
  } catch {
    return [];
  }
}

/** Resolves when so many have taken a seat: the others may take their time to start. */
async function seated(directory: string, count: number): Promise<void> {
  const taken = () => namesBelow(directory).filter((name) => /seat\.\d+\/state$/.test(name));
  await vi.waitUntil(() => taken().length === count, 100_000);
}

/** So many processes that have joined one rendezvous, made for as many. */
async function joined<const Names extends readonly string[]>(directory: string, ...names: Names) {
  const parties = names.map(() => partyIn(directory));
  expect(await parties[0]?.act('open', String(names.length))).toBe('done');
  expect(await Promise.all(parties.map((party) => party.act('join')))).toEqual(names.map(() => 'done'));
  return Object.fromEntries(names.map((name, at) => [name, parties[at]])) as Record<Names[number], Party>;
}

/** What is left in the temporary directory. */
function leftIn(directory: string): readonly string[] {
  return readdirSync(directory).filter((name) => name.startsWith('gobonnie-'));
}

/** Notes that a promise is done, for a look at who still waits. */
function noting(answer: Promise<string>): { readonly answer: Promise<string>; readonly lines: string[] } {
  const lines: string[] = [];
  void answer.then((line) => lines.push(line));
  return { answer, lines };
}

describe('three that take part', () => {
  test('start each stage together: nobody is in the next before all are in this one', async () => {
    const directory = makeDirectory();
    const { a, b, c } = await joined(directory, 'a', 'b', 'c');
    const stages = ['putc', 'write', 'rewrite', 'getc', 'read', 'seeks'];
    const log: string[] = [];
    const runs = [a, b, c].map(async (party, at) => {
      for (const [number, stage] of stages.entries()) {
        // Each is the slow one in turn.
        if (number % 3 === at) await setTimeout(30);
        log.push(`come to ${stage}`);
        expect(await party.act('meet', stage)).toBe('done');
        log.push(`in ${stage}`);
      }
      expect(await party.act('leave')).toBe('done');
    });
    await Promise.all(runs);
    for (const stage of stages)
      expect(log.lastIndexOf(`come to ${stage}`)).toBeLessThan(log.indexOf(`in ${stage}`));
    expect(log).toHaveLength(36);
    expect(leftIn(directory)).toEqual([]);
  });

  test('wait until the last has joined', async () => {
    const directory = makeDirectory();
    const [a, b, c] = [partyIn(directory), partyIn(directory), partyIn(directory)];
    await a.act('open', '3');
    const [first, second] = [noting(a.act('join')), noting(b.act('join'))];
    await setTimeout(A_WHILE_MS);
    expect([...first.lines, ...second.lines]).toEqual([]);
    expect(await c.act('join')).toBe('done');
    expect(await Promise.all([first.answer, second.answer])).toEqual(['done', 'done']);
  });

  test('the same stage may come again', async () => {
    const { a, b } = await joined(makeDirectory(), 'a', 'b');
    await Promise.all([a.act('meet', 'write'), b.act('meet', 'write')]);
    const again = noting(a.act('meet', 'write'));
    await setTimeout(A_WHILE_MS);
    expect(again.lines).toEqual([]);
    expect(await b.act('meet', 'write')).toBe('done');
    expect(await again.answer).toBe('done');
  });

  test('the next three can meet as soon as the last of these has left', async () => {
    const directory = makeDirectory();
    const first = await joined(directory, 'a', 'b', 'c');
    await Promise.all(Object.values(first).map((party) => party.act('leave')));
    const next = await joined(directory, 'a', 'b', 'c');
    expect(await Promise.all(Object.values(next).map((party) => party.act('meet', 'write')))).toEqual([
      'done',
      'done',
      'done',
    ]);
  });
});

describe('the others go on', () => {
  test.each(['leave', 'kill'] as const)('when one goes in the middle of a stage: %s', async (way) => {
    const { a, b, c } = await joined(makeDirectory(), 'a', 'b', 'c');
    await Promise.all([a, b, c].map((party) => party.act('meet', 'putc')));
    const waiting = [noting(a.act('meet', 'write')), noting(b.act('meet', 'write'))];
    await setTimeout(A_WHILE_MS);
    expect(waiting.flatMap(({ lines }) => lines)).toEqual([]);
    await (way === 'kill' ? c.kill() : c.act('leave'));
    expect(await Promise.all(waiting.map(({ answer }) => answer))).toEqual(['done', 'done']);
    expect(await Promise.all([a.act('meet', 'read'), b.act('meet', 'read')])).toEqual(['done', 'done']);
  });

  test('when one is killed while it waits', async () => {
    const { a, b, c } = await joined(makeDirectory(), 'a', 'b', 'c');
    void c.act('meet', 'putc');
    const waiting = noting(a.act('meet', 'putc'));
    await setTimeout(A_WHILE_MS);
    await c.kill();
    await setTimeout(A_WHILE_MS);
    expect(waiting.lines).toEqual([]);
    expect(await b.act('meet', 'putc')).toBe('done');
    expect(await waiting.answer).toBe('done');
    expect(await Promise.all([a.act('meet', 'write'), b.act('meet', 'write')])).toEqual(['done', 'done']);
  });

  test('when one is killed before the last has joined', async () => {
    const directory = makeDirectory();
    const [a, b, c] = [partyIn(directory), partyIn(directory), partyIn(directory)];
    await a.act('open', '3');
    void a.act('join');
    const waiting = noting(b.act('join'));
    await seated(directory, 2);
    await a.kill();
    expect(waiting.lines).toEqual([]);
    expect(await c.act('join')).toBe('done');
    expect(await waiting.answer).toBe('done');
    expect(await Promise.all([b.act('meet', 'putc'), c.act('meet', 'putc')])).toEqual(['done', 'done']);
  });

  test('one that is stopped lives, and is waited for', async () => {
    const { a, b } = await joined(makeDirectory(), 'a', 'b');
    b.child.kill('SIGSTOP');
    const waiting = noting(a.act('meet', 'putc'));
    await setTimeout(A_WHILE_MS);
    expect(waiting.lines).toEqual([]);
    b.child.kill('SIGCONT');
    expect(await b.act('meet', 'putc')).toBe('done');
    expect(await waiting.answer).toBe('done');
  });
});

describe('opening', () => {
  test('is for this user alone', async () => {
    const directory = makeDirectory();
    await partyIn(directory).act('open', '2');
    const places = readdirSync(directory, { recursive: true, encoding: 'utf8' });
    expect(places.filter((name) => name.startsWith(HOME))).toHaveLength(3);
    expect(places.filter((name) => (statSync(path.join(directory, name)).mode & 0o077) !== 0)).toEqual([]);
  });

  test('outlives the process that did it', async () => {
    const directory = makeDirectory();
    const opener = partyIn(directory);
    await opener.act('open', '1');
    await opener.kill();
    const a = partyIn(directory);
    expect(await a.act('join')).toBe('done');
    expect(await a.act('meet', 'putc')).toBe('done');
  });

  test('again before anybody has joined changes the number', async () => {
    const directory = makeDirectory();
    const [a, b] = [partyIn(directory), partyIn(directory)];
    await a.act('open', '3');
    await a.act('open', '2');
    expect(await Promise.all([a.act('join'), b.act('join')])).toEqual(['done', 'done']);
  });

  test('is refused while somebody takes part, and the others are not disturbed', async () => {
    const directory = makeDirectory();
    const { a, b } = await joined(directory, 'a', 'b');
    await b.kill();
    const line = await partyIn(directory).act('open', '2');
    expect(line).toBe(
      `a rendezvous is in use, by process ${a.pid}; wait until they have ended, or delete it with -p -1`,
    );
    expect(await a.act('meet', 'putc')).toBe('done');
  });

  test('replaces what the dead have left', async () => {
    const directory = makeDirectory();
    const { a, b } = await joined(directory, 'a', 'b');
    await Promise.all([a.kill(), b.kill()]);
    const next = partyIn(directory);
    expect(await next.act('open', '1')).toBe('done');
    expect(await next.act('join')).toBe('done');
    await next.act('leave');
    expect(leftIn(directory)).toEqual([]);
  });

  test('by several at once leaves one rendezvous', async () => {
    const directory = makeDirectory();
    const openers = [1, 2, 3, 4].map(() => partyIn(directory));
    for (let round = 0; round < 10; round++) {
      expect(new Set(await Promise.all(openers.map((party) => party.act('open', '4'))))).toEqual(
        new Set(['done']),
      );
      expect(readdirSync(path.join(directory, HOME, 'now'))).toHaveLength(1);
    }
    expect(await Promise.all(openers.map((party) => party.act('join')))).toEqual(openers.map(() => 'done'));
  });
});

describe('joining', () => {
  test('without a rendezvous names -p', async () => {
    const directory = makeDirectory();
    expect(await partyIn(directory).act('join')).toBe(
      'there is no rendezvous to join; make one first, as the same user, with -p N',
    );
    expect(leftIn(directory)).toEqual([]);
  });

  test('what only the dead took part in is refused, and removed', async () => {
    const directory = makeDirectory();
    const { a, b } = await joined(directory, 'a', 'b');
    await Promise.all([a.kill(), b.kill()]);
    expect(await partyIn(directory).act('join')).toContain('no rendezvous to join');
    expect(leftIn(directory)).toEqual([]);
  });

  test('by more than it is for is refused, even when one of them has died', async () => {
    const directory = makeDirectory();
    const { a, b } = await joined(directory, 'a', 'b');
    const line =
      'the rendezvous is for 2, and as many have joined already; when they have ended, make a larger one with -p N';
    expect(await partyIn(directory).act('join')).toBe(line);
    await b.kill();
    expect(await partyIn(directory).act('join')).toBe(line);
    expect(await a.act('meet', 'putc')).toBe('done');
  });

  test('by more than it is for at once takes as many as it is for', async () => {
    const directory = makeDirectory();
    const parties = [1, 2, 3, 4, 5].map(() => partyIn(directory));
    await parties[0]?.act('open', '3');
    const lines = await Promise.all(parties.map((party) => party.act('join')));
    expect(lines.filter((line) => line === 'done')).toHaveLength(3);
    expect(lines.filter((line) => line.includes('is for 3'))).toHaveLength(2);
  });

  test('those who were told to do different tests are told so, and nobody hangs', async () => {
    const { a, b } = await joined(makeDirectory(), 'a', 'b');
    const waiting = a.act('meet', 'putc');
    const lines = [await b.act('meet', 'write')];
    await b.act('leave');
    lines.push(await waiting);
    expect(lines).toContain(
      `this process is at write, and process ${a.pid} at putc: they would wait for each other for ever; give all processes the same tests`,
    );
  });
});

describe('an abort while waiting', () => {
  test('for the others to join leaves nothing', async () => {
    const directory = makeDirectory();
    const [a, b] = [partyIn(directory), partyIn(directory)];
    await a.act('open', '3');
    const waiting = [a.act('join'), b.act('join')];
    await seated(directory, 2);
    await Promise.all([a.act('abort'), b.act('abort')]);
    expect(await Promise.all(waiting)).toEqual(['SIGINT', 'SIGINT']);
    expect(leftIn(directory)).toEqual([]);
  });

  test('for a stage leaves nothing, and nobody waiting', async () => {
    const directory = makeDirectory();
    const { a, b, c } = await joined(directory, 'a', 'b', 'c');
    const [first, second] = [a.act('meet', 'putc'), noting(b.act('meet', 'putc'))];
    await setTimeout(A_WHILE_MS);
    await a.act('abort');
    expect(await first).toBe('SIGINT');
    await a.act('leave');
    expect(second.lines).toEqual([]);
    expect(await c.act('meet', 'putc')).toBe('done');
    expect(await second.answer).toBe('done');
    await Promise.all([b.act('leave'), c.act('leave')]);
    expect(leftIn(directory)).toEqual([]);
  });
});

describe('closing', () => {
  test('removes everything', async () => {
    const directory = makeDirectory();
    const a = partyIn(directory);
    await a.act('open', '3');
    expect(leftIn(directory)).toEqual([HOME]);
    expect(await a.act('close')).toBe('done');
    expect(leftIn(directory)).toEqual([]);
  });

  test('says when there is nothing to close', async () => {
    expect(await partyIn(makeDirectory()).act('close')).toBe(
      'there is no rendezvous to delete; the last process of one deletes it; one is made with -p N',
    );
  });

  test('is told to those who wait, and to those who come later', async () => {
    const directory = makeDirectory();
    const { a, b } = await joined(directory, 'a', 'b');
    const waiting = a.act('meet', 'putc');
    await setTimeout(A_WHILE_MS);
    expect(await partyIn(directory).act('close')).toBe('done');
    const line = 'the rendezvous was deleted before its end; make a new one with -p N, and start again';
    expect(await waiting).toBe(line);
    expect(await b.act('meet', 'putc')).toBe(line);
    expect(await b.act('leave')).toBe('done');
    expect(leftIn(directory)).toEqual([]);
  });

  test('is told to those who wait for the others to join', async () => {
    const directory = makeDirectory();
    const a = partyIn(directory);
    await a.act('open', '2');
    const waiting = a.act('join');
    await seated(directory, 1);
    await partyIn(directory).act('close');
    expect(await waiting).toContain('was deleted before its end');
  });
});

describe('what somebody else has put in its place is refused, and left as it is', () => {
  const acts = [
    ['open', '2'],
    ['join', ''],
    ['close', ''],
  ] as const;

  async function linesOf(directory: string): Promise<readonly string[]> {
    const party = partyIn(directory);
    const lines: string[] = [];
    for (const [act, value] of acts) lines.push(await party.act(act, value));
    return lines;
  }

  function refusal(directory: string, what: string): readonly string[] {
    const line = `${path.join(directory, HOME)} ${what}, and cannot be used for a rendezvous; remove it, or set TMPDIR to another directory for all processes`;
    return acts.map(() => line);
  }

  test('a link', async () => {
    const directory = makeDirectory();
    const elsewhere = makeDirectory();
    mkdirSync(path.join(elsewhere, 'gone.1'));
    symlinkSync(elsewhere, path.join(directory, HOME));
    expect(await linesOf(directory)).toEqual(refusal(directory, 'is not a directory'));
    expect(readdirSync(elsewhere)).toEqual(['gone.1']);
  });

  test('a link that leads nowhere', async () => {
    const directory = makeDirectory();
    symlinkSync('/nowhere', path.join(directory, HOME));
    expect(await linesOf(directory)).toEqual(refusal(directory, 'is not a directory'));
    expect(lstatSync(path.join(directory, HOME)).isSymbolicLink()).toBe(true);
  });

  test('a file', async () => {
    const directory = makeDirectory();
    writeFileSync(path.join(directory, HOME), '');
    expect(await linesOf(directory)).toEqual(refusal(directory, 'is not a directory'));
  });

  test('a directory that others may write to', async () => {
    const directory = makeDirectory();
    mkdirSync(path.join(directory, HOME));
    chmodSync(path.join(directory, HOME), 0o770);
    expect(await linesOf(directory)).toEqual(refusal(directory, 'may be written to by others'));
  });

  test('a directory that has come since it was looked for', async () => {
    const home = path.join(makeDirectory(), HOME);
    mkdirSync(home);
    chmodSync(home, 0o777);
    expect(() => makePlace(home, 2)).toThrow('may be written to by others');
    expect(readdirSync(home)).toEqual([]);
  });

  test('a temporary directory in which others could do so at any moment', async () => {
    const directory = makeDirectory();
    chmodSync(directory, 0o777);
    const line = `others may put another directory in the place of ${path.join(directory, HOME)}; set TMPDIR to a directory of your own for all processes`;
    expect(await linesOf(directory)).toEqual(acts.map(() => line));
    expect(readdirSync(directory)).toEqual([]);
  });

  describe("another user's directory", () => {
    beforeEach(needs('root'));

    test('with everything in it that makes a rendezvous', async () => {
      const directory = makeDirectory();
      await joined(directory, 'a', 'b');
      chownSync(path.join(directory, HOME), 65_534, 65_534);
      expect(await linesOf(directory)).toEqual(refusal(directory, 'belongs to somebody else'));
    });
  });

  test('something else in the directory itself', async () => {
    const directory = makeDirectory();
    mkdirSync(path.join(directory, HOME, 'now', 'else'), { recursive: true, mode: 0o700 });
    expect(await partyIn(directory).act('open', '2')).toBe(
      `${path.join(directory, HOME)} has something in it that is in the way; remove it`,
    );
  });
});

describe('kill -9 at any moment', () => {
  beforeEach(needs('strace'));

  /** Whatever the architecture calls them. */
  const calls = {
    mkdir: '?mkdir,?mkdirat',
    rename: '?rename,?renameat,?renameat2',
    unlink: '?unlink,?unlinkat',
    rmdir: '?rmdir,?unlinkat',
  } as const;
  type Call = keyof typeof calls;

  const part = ['join', 'meet:write', 'meet:read', 'leave'] as const;

  function run(directory: string, words: readonly string[], as: readonly string[] = []) {
    return start(process.execPath, [program, ...words], { as, env: { ...process.env, TMPDIR: directory } })
      .ended;
  }

  /** Whether the process came to its `when`th call of this kind, which it did not live to make. */
  async function isKilledAt(call: Call, when: number, directory: string, words: readonly string[]) {
    const inject = [`--trace=${calls[call]}`, `--inject=${calls[call]}:signal=KILL:when=${when}`];
    const as = ['strace', '--follow-forks', '-qqq', '--output=/dev/null', ...inject];
    const { signal, exitCode, stderr } = await run(directory, words, as);
    if (signal !== 'SIGKILL') expect(`${exitCode} ${stderr}`).toBe('0 ');
    return signal === 'SIGKILL';
  }

  async function expectAnew(directory: string): Promise<void> {
    expect(await run(directory, ['open:1', ...part])).toMatchObject({ exitCode: 0, stderr: '' });
    expect(leftIn(directory)).toEqual([]);
  }

  /** Until the process lives through; gives how often it was killed. */
  async function eachMoment(isKilled: (when: number, directory: string) => Promise<boolean>) {
    for (let when = 1; ; when++) {
      const directory = makeDirectory();
      const wasKilled = await isKilled(when, directory);
      await expectAnew(directory);
      if (!wasKilled) return when - 1;
    }
  }

  /** One that did not come so far as to join is replaced; otherwise there is no place for another. */
  async function victim(call: Call, when: number, directory: string): Promise<boolean> {
    const isKilled = await isKilledAt(call, when, directory, part);
    if (isKilled) await run(directory, part);
    return isKilled;
  }

  async function hasSeat(directory: string): Promise<void> {
    if (namesBelow(path.join(directory, HOME)).some((name) => name.endsWith('seat.0'))) return;
    await setTimeout(10);
    return hasSeat(directory);
  }

  test.each(['mkdir', 'rename'] as const)('of the one that opens, before a %s', async (call) => {
    const kills = await eachMoment((when, directory) => isKilledAt(call, when, directory, ['open:2']));
    expect(kills).toBeGreaterThan(0);
  });

  test.each(['mkdir', 'rename', 'rmdir'] as const)(
    'of one that takes part, before a %s: the other goes on',
    async (call) => {
      const kills = await eachMoment(async (when, directory) => {
        await run(directory, ['open:2']);
        const other = run(directory, part);
        await hasSeat(directory);
        const isKilled = await victim(call, when, directory);
        expect(await other).toMatchObject({ exitCode: 0, stderr: '' });
        return isKilled;
      });
      expect(kills).toBeGreaterThan(0);
    },
  );

  test.each(['rename', 'unlink', 'rmdir'] as const)('of the last one, before a %s', async (call) => {
    const words = ['open:1', ...part];
    const kills = await eachMoment((when, directory) => isKilledAt(call, when, directory, words));
    expect(kills).toBeGreaterThan(0);
  });
});
