import { beforeEach, expect, test } from 'vitest';
import { type InterruptPoint, interruptPhase } from '../cli/commands/interrupt-phase.js';
import { USER_FLAGS } from '../cli/compat/run-bonnie-plus-plus.js';
import { requireTools } from '../support/tools.js';

beforeEach(requireTools('strace'));

// 1 MiB in blocks of 4 KiB, and the files of -n 1.
const BLOCKS = 256;
const FILES = 1024;
const LATER = 60;
const IO = '-n 0 -f -s 1:4k:1000:1';
const STAT_CALLS = 'statx,lstat,newfstatat';
const SMALL_FILES = '-s 0 -n 1';
const BY_BLOCK = ['Writing intelligently...done', 'Rewriting...done', 'Reading intelligently...done'];
const WITH_FILES = ['sequential', 'random'].flatMap((order) =>
  ['Create', 'Stat', 'Delete'].map((verb) => `${verb} files in ${order} order...done.`),
);
/** The whole file is one block, which takes hours with the injected delays: a signal must not wait for its end. */
const BYTES = '-n 0 -f1 -s 1:1m:100:1';

interface Row extends InterruptPoint {
  readonly phase: string;
  readonly flags: string;
  readonly messages: readonly string[];
}

const ROWS: readonly Row[] = [
  { phase: 'putc', flags: BYTES, calls: 'pwrite64', from: LATER, messages: [] },
  {
    phase: 'getc',
    flags: BYTES,
    calls: 'pread64',
    from: LATER,
    messages: ['Writing a byte at a time...done', ...BY_BLOCK.slice(0, 2)],
  },
  ...[
    { phase: 'write', calls: 'pwrite64', from: LATER },
    { phase: 'rewrite', calls: 'pread64', from: LATER },
    { phase: 'read', calls: 'pread64', from: BLOCKS + LATER },
    { phase: 'seeks', calls: 'pread64', from: 2 * BLOCKS + LATER },
  ].map((row, index) => ({ ...row, flags: IO, messages: BY_BLOCK.slice(0, index) })),
  ...[
    // The program opens fewer files while it starts.
    { phase: 'create', calls: 'openat', from: 300 },
    { phase: 'stat', calls: STAT_CALLS, from: LATER },
    // More than half, so fewer files remain for the clean-up, whose calls must not be delayed.
    { phase: 'delete', calls: 'unlink', from: FILES / 2 + LATER },
    { phase: 'create-random', calls: 'openat', from: FILES + LATER },
    { phase: 'stat-random', calls: STAT_CALLS, from: FILES + LATER },
    { phase: 'delete-random', calls: 'unlink', from: FILES + LATER },
  ].map((row, index) => ({ ...row, flags: SMALL_FILES, messages: WITH_FILES.slice(0, index) })),
];

const interrupt = ({ flags, ...point }: Row, signal: NodeJS.Signals = 'SIGINT') =>
  interruptPhase(point, (dir) => ['bonnie++', ...USER_FLAGS, '-d', dir, '-r', '0', ...flags.split(' ')], {
    exitCode: 5,
    signal,
  });

test.each(ROWS)('Ctrl-C in $phase leaves no files and prints neither table nor CSV', async (row) => {
  expect(await interrupt(row)).toEqual({ stdout: '', messages: row.messages });
});

const SOME = ROWS.filter(({ phase }) => ['write', 'stat', 'delete-random'].includes(phase));

test.each(SOME)(
  'SIGTERM in $phase stops the run as Ctrl-C does, and the message names SIGTERM',
  async (row) => {
    expect(await interrupt(row, 'SIGTERM')).toEqual({ stdout: '', messages: row.messages });
  },
);
