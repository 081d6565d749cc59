import { describe, expect, test } from 'vitest';
import { terminalMessages } from '../../../src/cli/output/terminal-messages.js';
import { PLAIN_PAINT } from '../../../src/format/writing/paint.js';
import { displayWidth } from '../../../src/format/writing/width.js';
import type { OptionsInput } from '../../../src/options/options-schema.js';
import type { Report, Warning } from '../../../src/report/schema/report.js';
import { type MachineFacts, planWith, reportWith, runWith } from '../../support/data/fixtures.js';

const DIRTY = {
  code: 'still-dirty',
  phase: 'write',
  message: 'Sequential Write: only 0.0 % had reached the device; with the final sync: 280 MB/s',
  hint: 'pass --fsync',
} as const;
const CEILING = { bytesPerSecond: 8.2e9, operationsPerSecond: 814_183.4 };
const UNWATCHED = { code: 'no-cleanup-process', phase: null, message: 'it has ended', hint: 'none' } as const;
const WIDTHS = [40, 60, 80, 100, 140];

interface Given {
  readonly columns?: number;
  readonly unicode?: boolean;
  readonly verbosity?: 'quiet' | 'normal' | 'verbose';
  readonly showsTable?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly out?: readonly string[];
  readonly options?: OptionsInput;
  readonly machine?: MachineFacts;
}

function messagesFor(given: Given = {}) {
  const { columns = 80, unicode = true, verbosity = 'normal', showsTable = true, env = {} } = given;
  const plan = planWith({ size: 1, threads: 2, ...given.options }, given.machine);
  const messages = terminalMessages({
    ...{ plan, verbosity, showsTable, env, out: given.out ?? [] },
    screen: { columns, unicode, paint: PLAIN_PAINT },
  });
  return {
    start: () => messages.forEvent({ type: 'start', report: reportWith() }),
    after: (...warnings: Warning[]) => messages.afterResults(doneWith(warnings)),
    last: (...warnings: Warning[]) => messages.atEnd(doneWith(warnings)),
    afterNothing: () => messages.afterResults(reportWith({ runs: [], memoryCeiling: null })),
    lastAfter: (outcome: Report['outcome']) => messages.atEnd({ ...doneWith([DIRTY]), outcome }),
  };
}

function doneWith(warnings: Warning[]): Report {
  return reportWith({
    ...{ runs: [runWith()], warnings, memoryCeiling: CEILING },
    outcome: { state: 'completed' },
  });
}

describe('the first line', () => {
  test('has directory, filesystem, device, size and how', () => {
    const [first, second] = messagesFor({ columns: 120 }).start();
    expect(first).toMatch(
      /^gobonnie \S+ {3}\/mnt\/disk: ext4 on \/dev\/vda {3}1 GiB, 2 threads, buffered, cache emptied before reads$/,
    );
    expect(second).toBe('  iops: 512 bytes, 90 % reads');
  });

  test.each<[string, OptionsInput, NodeJS.Platform]>([
    ['Windows, where nothing can empty it', {}, 'win32'],
    ['phases that read no data', { phases: ['create', 'stat'] }, 'linux'],
  ])('does not claim an emptied cache for %s', (_, options, platform) => {
    const [first] = messagesFor({ columns: 140, machine: { platform }, options }).start();
    expect(first).toMatch(/ buffered( {3}iops|$)/);
  });

  test('says on which disk a directory was made', () => {
    const target = { exists: false, directory: '/mnt/typo', mount: '/' };
    const [first] = messagesFor({ columns: 140, machine: { target } }).start();
    expect(first).toContain('   made /mnt/typo on / (ext4 on /dev/vda)   ');
  });

  test('of several runs says how much they write, how long about, and the quicker way', () => {
    const lines = messagesFor({ options: { size: 4, runs: 5, iopsDuration: 15 } }).start();
    expect(lines).toContain('  writes 20 GiB in 5 runs, about 2 min 41 s at 500 MB/s; --size 1 is quicker');
  });

  test('says so before a long single run, too', () => {
    const lines = messagesFor({ options: { size: 48 } }).start();
    expect(lines.at(-2)).toMatch(
      /^ {2}writes 48 GiB, about \d+ min \d+ s at 500 MB\/s; --size 1 is quicker$/,
    );
  });

  test('is not printed if the table goes elsewhere', () => {
    expect(messagesFor({ showsTable: false }).start()).toEqual([]);
  });
});

describe('a warning', () => {
  test('is a line with its phase, and its code at the end', () => {
    const [, line] = messagesFor({ columns: 140 }).after(DIRTY);
    expect(line).toBe(
      '  ! write   only 0.0 % had reached the device; with the final sync: 280 MB/s   still-dirty',
    );
  });

  test('that is too long goes on below itself', () => {
    const [, first, second] = messagesFor({ columns: 60 }).after(DIRTY);
    expect(first).toBe('  ! write   only 0.0 % had reached the device; with the');
    expect(second).toBe('            final sync: 280 MB/s   still-dirty');
  });

  test('that is urgent was printed before', () => {
    expect(messagesFor().after(UNWATCHED).join('\n')).not.toContain('it has ended');
  });

  test('of a phase that this version does not know is printed, too', () => {
    expect(
      messagesFor()
        .after({ ...DIRTY, phase: 'warp' })
        .join('\n'),
    ).toContain('! warp   Sequential Write');
  });
});

describe('the last line', () => {
  test('says how long it took, how much was written, and that all is removed', () => {
    expect(messagesFor().last().at(-1)).toMatch(/^ {2}\S+ s, \S+ MiB written, all removed\.$/);
  });

  test('names the files of --out', () => {
    const [, line] = messagesFor({ out: ['disk.json', 'my disk.md'] }).last();
    expect(line).toContain(' all removed.   Wrote disk.json, "my disk.md".');
  });

  test.each([
    {
      state: 'failed',
      code: 'cleanup-failed',
      message: 'cannot remove /mnt/disk/gobonnie-abcdef',
      hint: 'remove it',
    },
    { state: 'aborted', reason: 'SIGINT' },
  ] as const)('after a run that was $state says nothing of files', (outcome) => {
    expect(messagesFor({ out: ['disk.json'] }).lastAfter(outcome)).toEqual([
      '',
      '  What "!" means: gobonnie explain still-dirty',
    ]);
  });

  test.each([
    ['gobonnie', {}],
    ['npx gobonnie', { npm_command: 'exec' }],
    ['npx gobonnie', { npm_command: 'run-script' }],
  ])('names %s explain, as it was called with %j', (call, env) => {
    expect(messagesFor({ env }).last(DIRTY).join('\n')).toContain(
      `What "!" means: ${call} explain still-dirty`,
    );
  });
});

test('-v adds a block for each phase of the last run and the memory ceiling, and -q prints nothing', () => {
  const lines = messagesFor({ verbosity: 'verbose' }).after();
  expect(lines.slice(0, 6)).toEqual([
    '',
    '  write',
    '    moved     512 MiB in 8192 operations, 0.5 s',
    '    device    served 100.0 % of it',
    '    latency   p50 59.9 µs, p90 59.9 µs, p99 59.9 µs, p999 59.9 µs, max 121 µs',
    '    CPU       75 %',
  ]);
  expect(lines.filter((line) => /^ {2}\w+$/.test(line))).toEqual(['  write', '  read', '  iops']);
  expect(lines).toContainEqual(
    expect.stringMatching(
      /^ {2}memory ceiling: read 8200 MB\/s \(the result is \S+ % of it\), iops 814183\/s/,
    ),
  );
  expect(lines.filter((line) => /^\w.*, (MB|ops)\/s/.test(line))).toHaveLength(3);
  expect(messagesFor({ verbosity: 'verbose' }).afterNothing()).toEqual([]);
  expect(messagesFor().after()).toEqual([]);
  const quiet = messagesFor({ verbosity: 'quiet' });
  expect([...quiet.start(), ...quiet.after(DIRTY), ...quiet.last(DIRTY)]).toEqual([]);
});

test.each(WIDTHS)('no line is wider than %d columns, and none is broken within a word', (columns) => {
  const messages = messagesFor({ columns, options: { runs: 5 } });
  const lines = [...messages.start(), ...messages.after(DIRTY), ...messages.last(DIRTY)];
  for (const line of lines) expect(displayWidth(line), line).toBeLessThan(columns);
  const words = lines.join(' ').split(/\s+/);
  for (const word of ['/mnt/disk:', 'buffered,', 'still-dirty', 'written,']) expect(words).toContain(word);
});
