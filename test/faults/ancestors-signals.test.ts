import { beforeEach, describe, expect, test } from 'vitest';
import { phases } from '../../workers/phases/phase-catalogue.js';
import { type InterruptPoint, interruptPhase } from '../cli/commands/interrupt-phase.js';
import { splitLines } from '../cli/compat/run-bonnie-plus-plus.js';
import { ALL_PHASES } from '../support/data/all-phases.js';
import { requireTools } from '../support/tools.js';

beforeEach(requireTools('strace'));

// 2 MiB in blocks of 4 KiB, and as many files as blocks.
const COUNT = 512;
const SMALL = [
  ...['--size', String(2 / 1024), '--block-size', '4k', '--threads', '1'],
  ...['--seeks', '4000', '--iops-duration', '600', '--files', String(COUNT)],
];
const LATER = 60;
const STAT_CALLS = 'statx,lstat,newfstatat';

interface Row extends InterruptPoint {
  /** Earlier phases that this phase needs. */
  readonly after: readonly string[];
}

const reads: Row = { after: ['write'], calls: 'pread64', from: LATER };
const writes: Row = { after: [], calls: 'pwrite64', from: LATER };

const ROWS: Readonly<Record<string, Row>> = {
  putc: writes,
  write: writes,
  rewrite: reads,
  getc: reads,
  read: reads,
  seeks: reads,
  iops: reads,
  // The program opens fewer files while it starts.
  create: { after: [], calls: 'openat', from: 200 },
  stat: { after: ['create'], calls: STAT_CALLS, from: LATER },
  // More than half, so fewer files remain for the clean-up, whose calls must not be delayed.
  delete: { after: ['create'], calls: 'unlink', from: COUNT / 2 + LATER },
  'create-random': { after: [], calls: 'openat', from: 200 },
  'stat-random': { after: ['create-random'], calls: STAT_CALLS, from: LATER },
  'delete-random': { after: ['create-random'], calls: 'unlink', from: COUNT / 2 + LATER },
};

test.each(ALL_PHASES)('Ctrl-C in %s leaves no files and prints no line for the phase', async (phase) => {
  const row = ROWS[phase];
  if (!row) throw new Error(`${phase} has no row in ROWS`);
  const list = [...row.after, phase].join(',');
  const { stdout, messages } = await interruptPhase(
    row,
    (dir) => ['--dir', dir, ...SMALL, '--phases', list],
    {
      exitCode: 130,
    },
  );
  const complete = phases.filter(({ name }) => row.after.includes(name));
  expect(splitLines(stdout)).toEqual(
    complete.map(({ title }) => expect.stringMatching(new RegExp(`^${title}[^:]*: [\\d.]+$`))),
  );
  expect(messages).toEqual([expect.stringMatching(/ gobonnie starting\. /)]);
});

// One block needs hundreds of calls, so the signal arrives within a block.
test.each(['putc', 'getc'] as const)(
  'Ctrl-C in %s with one-byte calls stops the phase within a block',
  async (phase) => {
    const { after, ...point } = ROWS[phase] ?? writes;
    const flags = [...SMALL, '--byte-mode', 'syscall', '--phases', [...after, phase].join(',')];
    const { stdout } = await interruptPhase(point, (dir) => ['--dir', dir, ...flags], { exitCode: 130 });
    expect(splitLines(stdout)).toHaveLength(after.length);
  },
);

describe('gobonnie bonniego', () => {
  // 16 MiB in blocks of 64 KiB.
  const BLOCKS = 256;
  const FLAGS = ['-size=0.015625', '-procs', '1', '-iops-duration=600'];
  const LINES = [/^Sequential Write MiB\/s: [\d.]+$/, /^Sequential Read MiB\/s: [\d.]+$/];

  test.each<InterruptPoint & { readonly phase: string; readonly complete: number }>([
    { phase: 'write', calls: 'pwrite64', from: LATER, complete: 0 },
    { phase: 'read', calls: 'pread64', from: LATER, complete: 1 },
    { phase: 'iops', calls: 'pread64', from: BLOCKS + LATER, complete: 2 },
  ])('Ctrl-C in $phase leaves no files and prints no line for the phase', async ({ complete, ...point }) => {
    const { stdout, messages } = await interruptPhase(point, (dir) => ['bonniego', '-dir', dir, ...FLAGS], {
      exitCode: 130,
    });
    expect(splitLines(stdout)).toEqual(LINES.slice(0, complete).map((line) => expect.stringMatching(line)));
    expect(messages).toEqual([]);
  });
});

describe('gobonnie bonnie', () => {
  // 4 MiB in blocks of 16 KiB, or in single bytes with a buffer of 4 KiB.
  const BLOCKS = 256;
  const BUFFERS = 1024;
  const PHASES = ['putc', 'rewrite', 'write', 'getc', 'read', 'seeks'];
  const DONE = [
    /^Writing with putc\(\)\.\.\. *done: /,
    /^Rewriting\.\.\. *done: /,
    /^Writing intelligently\.\.\. *done: /,
    /^Reading with getc\(\)\.\.\. *done: /,
    /^Reading intelligently\.\.\. *done: /,
  ];

  test.each<InterruptPoint & { readonly phase: string }>([
    { phase: 'putc', calls: 'pwrite64', from: LATER },
    { phase: 'rewrite', calls: 'pread64', from: LATER },
    { phase: 'write', calls: 'pwrite64', from: BUFFERS + BLOCKS + LATER },
    { phase: 'getc', calls: 'pread64', from: BLOCKS + LATER },
    { phase: 'read', calls: 'pread64', from: BLOCKS + BUFFERS + LATER },
    { phase: 'seeks', calls: 'pread64', from: BLOCKS + BUFFERS + BLOCKS + LATER },
  ])('Ctrl-C in $phase leaves no files and prints no table', async ({ phase, ...point }) => {
    const { stdout, messages } = await interruptPhase(
      point,
      (dir) => ['bonnie', '-d', dir, '-s', '4', '-p', '1'],
      {
        exitCode: 130,
      },
    );
    expect(stdout).toBe('');
    const complete = DONE.slice(0, PHASES.indexOf(phase));
    expect(messages).toEqual([/^Bonnie: File /, ...complete].map((line) => expect.stringMatching(line)));
  });
});
