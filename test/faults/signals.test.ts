import { readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { phases } from '../../workers/phases/phase-catalogue.js';
import { splitLines, stableLines, USER_FLAGS } from '../cli/compat/run-bonnie-plus-plus.js';
import { ALL_PHASES } from '../support/data/all-phases.js';
import { makeDirectory } from '../support/disks/directory.js';
import { ENTRY, startProcess } from '../support/programs/program.js';
import { omitFlagsWithoutEffect } from '../support/programs/small-run.js';
import { requireTools } from '../support/tools.js';

beforeEach(requireTools('strace'));

/** Each call of a phase's loop is delayed, so the phase still runs when the signal arrives. */
const DELAY_US = 40_000;
/** strace stops a thread at every call until its first traced call. Each thread makes this call before its loop. */
const EARLY_CALL = 'openat';
/** strace's line of a delayed call on a measured file. */
const DELAYED_CALL = /\/gobonnie-\w{6}\/(?:bonnie\.|tree\.)[^\n]*\(DELAYED\)$/m;
const POLL = { timeout: 100_000, interval: 5 };

/** The system calls of a phase's loop. */
interface Loop {
  readonly calls: string;
  /** Number of a thread's calls of that name until it is in the loop. */
  readonly from: number;
  /** An earlier phase that this phase needs. */
  readonly after?: string;
}

/** Sends the real program a signal in a loop. Expects that it removes its files, and returns the rest of its output. */
async function interrupt({ calls, from }: Loop, args: readonly string[], signal: NodeJS.Signals) {
  const dir = makeDirectory();
  const log = path.join(makeDirectory(os.tmpdir()), 'calls');
  const delay = `inject=${calls}:delay_enter=${DELAY_US}:when=${from}+`;
  const filter = ['--seccomp-bpf', '-e', `trace=${EARLY_CALL},${calls}`, '-e', delay];
  // With -D the program is a direct child of this process, so the signal reaches the program and not strace.
  const strace = ['-D', '-f', '-qq', '-y', ...filter, '-o', log];
  const { child, exitResult } = startProcess('strace', [...strace, process.execPath, ENTRY, ...args, dir]);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exitResult;
  });
  const isInLoop = () => child.exitCode !== null || DELAYED_CALL.test(readLog(log));
  await vi.waitUntil(isInLoop, POLL);
  if (child.exitCode !== null) expect.fail(`it ended before the signal: ${(await exitResult).stderr}`);
  expect(readdirSync(dir)).toEqual([expect.stringMatching(/^gobonnie-\w{6}$/)]);
  child.kill(signal);
  const { stdout, stderr, exitCode } = await exitResult;
  expect(readdirSync(dir)).toEqual([]);
  const messages = stableLines(stderr);
  expect(messages.at(-1)).toBe(
    `gobonnie: stopped by ${signal} after 0 complete runs; the temporary files are removed`,
  );
  return { exitCode, lines: splitLines(stdout), messages: messages.slice(0, -1) };
}

/** Returns an empty text until strace has created the file. */
function readLog(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

// 2 MiB in blocks of 4 KiB, and as many files as blocks.
const COUNT = 512;
const SMALL = [
  ...['--size', String(2 / 1024), '--block-size', '4k', '--threads', '1'],
  ...['--seeks', '4000', '--iops-duration', '600', '--files', String(COUNT)],
];
/** So many calls are later than those before the loop. */
const LATER = 60;
const STAT_CALLS = 'statx,lstat,newfstatat';

const reads: Loop = { calls: 'pread64', from: LATER, after: 'write' };
const writes: Loop = { calls: 'pwrite64', from: LATER };
// The program opens fewer files while it starts.
const creates: Loop = { calls: 'openat', from: 200 };
const stats: Loop = { calls: STAT_CALLS, from: LATER, after: 'create' };
// More than half, so fewer files remain for the clean-up, whose calls must not be delayed.
const deletes: Loop = { calls: 'unlink', from: COUNT / 2 + LATER, after: 'create' };

const LOOPS: Readonly<Record<string, Loop>> = {
  putc: writes,
  write: writes,
  'write-new': writes,
  fill: writes,
  // The write before it has as many calls.
  overwrite: { ...writes, from: COUNT + LATER, after: 'write' },
  rewrite: reads,
  getc: reads,
  read: reads,
  seeks: reads,
  random: reads,
  iops: reads,
  create: creates,
  stat: stats,
  delete: deletes,
  'create-random': creates,
  'stat-random': { ...stats, after: 'create-random' },
  'delete-random': { ...deletes, after: 'create-random' },
};

test.each(ALL_PHASES)('Ctrl-C in %s leaves no files and prints no line for the phase', async (phase) => {
  const loop = LOOPS[phase];
  if (!loop) throw new Error(`${phase} has no row in LOOPS`);
  const list = loop.after ? `${loop.after},${phase}` : phase;
  const args = [...omitFlagsWithoutEffect([...SMALL, '--phases', list]), '--dir'];
  const { exitCode, lines, messages } = await interrupt(loop, args, 'SIGINT');
  expect(exitCode).toBe(130);
  const complete = phases.filter(({ name }) => name === loop.after);
  expect(lines).toEqual(
    complete.map(({ title }) => expect.stringMatching(new RegExp(`^${title}[^:]*: [\\d.]+$`))),
  );
  expect(messages).toEqual([expect.stringMatching(/ gobonnie starting\. /)]);
});

const PLUS_PLUS = ['bonnie++', ...USER_FLAGS, '-r', '0'].join(' ');
/** The whole file is one block, which takes hours with the delays: a signal must not wait for its end. */
const ONE_BLOCK = `${PLUS_PLUS} -n 0 -f1 -s 1:1m:100:1 -d`;

test.each<[NodeJS.Signals, string, string, Loop, number, RegExp]>([
  [
    'SIGINT',
    'rewrite',
    'bonnie -s 4 -p 1 -d',
    reads,
    130,
    /^Bonnie: File .*\nWriting with putc\(\)\.\.\. *done: .*$/,
  ],
  ['SIGTERM', 'write', `${PLUS_PLUS} -n 0 -f -s 1:4k:1000:1 -d`, writes, 5, /^$/],
  ['SIGINT', 'stat', `${PLUS_PLUS} -s 0 -n 1 -d`, stats, 5, /^Create files in sequential order.*$/],
  ['SIGINT', 'putc', ONE_BLOCK, writes, 5, /^$/],
  ['SIGINT', 'getc', ONE_BLOCK, reads, 5, /^Writing a byte.*\nWriting intelligently.*\nRewriting.*$/],
])(
  '%s in the %s phase of %s leaves no files and prints no table',
  async (signal, _, command, loop, code, printed) => {
    const { exitCode, lines, messages } = await interrupt(loop, command.split(' '), signal);
    expect(exitCode).toBe(code);
    expect([...lines, ...messages].join('\n')).toMatch(printed);
  },
);
