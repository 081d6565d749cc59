import { beforeEach, expect, test } from 'vitest';
import { phases } from '../../workers/phases/phase-catalogue.js';
import { splitLines, USER_FLAGS } from '../cli/compat/run-bonnie-plus-plus.js';
import { ALL_PHASES } from '../support/data/all-phases.js';
import { requireTools } from '../support/tools.js';
import { type InterruptPoint, interruptPhase } from './interrupt-phase.js';

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
// The program opens fewer files while it starts.
const creates: Row = { after: [], calls: 'openat', from: 200 };

const ROWS: Readonly<Record<string, Row>> = {
  putc: writes,
  write: writes,
  'write-new': writes,
  // The write before it has as many calls.
  overwrite: { ...writes, after: ['write'], from: COUNT + LATER },
  rewrite: reads,
  getc: reads,
  read: reads,
  seeks: reads,
  random: reads,
  iops: reads,
  create: creates,
  stat: { after: ['create'], calls: STAT_CALLS, from: LATER },
  // More than half, so fewer files remain for the clean-up, whose calls must not be delayed.
  delete: { after: ['create'], calls: 'unlink', from: COUNT / 2 + LATER },
  'create-random': creates,
  'stat-random': { after: ['create-random'], calls: STAT_CALLS, from: LATER },
  'delete-random': { after: ['create-random'], calls: 'unlink', from: COUNT / 2 + LATER },
};

test.each(ALL_PHASES)('Ctrl-C in %s leaves no files and prints no line for the phase', async (phase) => {
  const row = ROWS[phase];
  if (!row) throw new Error(`${phase} has no row in ROWS`);
  const list = [...row.after, phase].join(',');
  const args = (dir: string) => ['--dir', dir, ...SMALL, '--phases', list];
  const { stdout, messages } = await interruptPhase(row, args, { exitCode: 130 });
  const complete = phases.filter(({ name }) => row.after.includes(name));
  expect(splitLines(stdout)).toEqual(
    complete.map(({ title }) => expect.stringMatching(new RegExp(`^${title}[^:]*: [\\d.]+$`))),
  );
  expect(messages).toEqual([expect.stringMatching(/ gobonnie starting\. /)]);
});

const PLUS_PLUS = ['bonnie++', ...USER_FLAGS, '-r', '0'].join(' ');
/** The whole file is one block, which takes hours with the injected delays: a signal must not wait for its end. */
const ONE_BLOCK = `${PLUS_PLUS} -n 0 -f1 -s 1:1m:100:1 -d`;

test.each([
  [
    'read',
    'bonniego -size=0.015625 -procs 1 -iops-duration=600 -dir',
    reads,
    130,
    /^Sequential Write MiB\/s: [\d.]+\n.* gobonnie starting\. .*$/,
  ],
  ['rewrite', 'bonnie -s 4 -p 1 -d', reads, 130, /^Bonnie: File .*\nWriting with putc\(\)\.\.\. *done: .*$/],
  ['write', `${PLUS_PLUS} -n 0 -f -s 1:4k:1000:1 -d`, { ...writes, signal: 'SIGTERM' }, 5, /^$/],
  [
    'stat',
    `${PLUS_PLUS} -s 0 -n 1 -d`,
    { calls: STAT_CALLS, from: LATER },
    5,
    /^Create files in sequential order.*$/,
  ],
  ['putc', ONE_BLOCK, writes, 5, /^$/],
  ['getc', ONE_BLOCK, reads, 5, /^Writing a byte.*\nWriting intelligently.*\nRewriting.*$/],
] as const)(
  'a signal in the %s phase of %s leaves no files and prints no table',
  async (_, command, row, exitCode, printed) => {
    const { signal = 'SIGINT', ...point } = { signal: undefined, ...row };
    const args = (dir: string) => [...command.split(' '), dir];
    const { stdout, messages } = await interruptPhase(point, args, { exitCode, signal });
    expect([...splitLines(stdout), ...messages].join('\n')).toMatch(printed);
  },
);
