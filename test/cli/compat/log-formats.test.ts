import { describe, expect, test } from 'vitest';
import { logFormats as formats, type LogFormatName } from '../../../src/cli/compat/log-formats.js';
import type { LogFormatter } from '../../../src/cli/output/log-format.js';
import type { OptionsInput } from '../../../src/options/options-schema.js';
import type { RunEvent } from '../../../src/report/events/event-record.js';
import { GIB, KIB, MIB } from '../../../src/text/units.js';
import { allWarnings, WARNING_CODES } from '../../support/data/all-warnings.js';
import {
  machineWith,
  measurementWith,
  planWith,
  reportWith,
  runWith,
  startWith,
} from '../../support/data/fixtures.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { startProcess } from '../../support/programs/program.js';
import { requireTools } from '../../support/tools.js';

const logFormats: Readonly<Record<LogFormatName, LogFormatter>> = formats;

const machine = machineWith({ memoryLimitBytes: 100 * MIB, memoryBytes: 2 * GIB });
const WARNING: RunEvent = {
  type: 'warning',
  warning: { code: 'size-reduced', step: null, message: 'it does not fit', hint: 'pass a smaller --size' },
};

const STEP_START: RunEvent = {
  type: 'step-start',
  run: 1,
  step: 'write',
  phase: 'write',
  title: 'Sequential Write',
  primaryRate: 'bytes',
  goal: { unit: 'bytes', amount: 1 },
};

/** Returns the first event of a run with this many MiB in one thread. */
function start(megabytes: number, options: OptionsInput = {}, scratch = '/scratch/gobonnie-x'): RunEvent {
  return startWith(planWith({ size: (megabytes * MIB) / GIB, threads: 1, ...options }, machine), scratch);
}

function stepEnd(step: string, kibPerSecond = 0, percent = 0, threads = 1): RunEvent {
  const { cpu } = measurementWith();
  const primaryRate = step === 'iops' ? 'operations' : 'bytes';
  const rates = { primaryRate, bytesPerSecond: kibPerSecond * KIB } as const;
  const overrides = { step, threads, ...rates, cpu: { ...cpu, percent } };
  return { type: 'step-end', run: 1, measurement: measurementWith(overrides) };
}

describe.each([
  ['Bonnie', logFormats.bonnie],
  ['bonnie++', logFormats['bonnie++']],
])('the log of %s', (_, formatLog) => {
  test('is the same if it is verbose', () => {
    for (const event of [start(100), WARNING, stepEnd('putc', 21_846, 98)])
      expect(formatLog(event, true)).toEqual(formatLog(event, false));
  });

  test.each<RunEvent>([
    { type: 'run-start', run: 1 },
    STEP_START,
    { type: 'run-end', run: 1, result: runWith(), report: reportWith() },
    { type: 'end', report: reportWith() },
  ])('has no line for $type', (event) => {
    expect(formatLog(event, false)).toEqual([]);
  });
});

describe('the log of Bonnie', () => {
  const formatLog = logFormats.bonnie;

  test.each([
    [3, '/scratch/x', `'/scratch/x/bonnie.0', size: 104857600, volumes: 3`],
    [1, '/tmp/\u001b[31m', String.raw`"/tmp/\u001b[31m/bonnie.0", size: 104857600, volumes: 1`],
  ])('starts with the number %i of files in %j, their name and size', (dataFiles, scratch, line) => {
    expect(formatLog(start(dataFiles * 100, { dataFiles }, scratch), false)).toEqual([
      `Bonnie: File ${line}`,
    ]);
  });

  test('has a warning about a file smaller than the RAM, unless I/O is direct', () => {
    expect(formatLog(start(99), false)[1]).toBe(
      'warning: 99 MiB of data is less than the RAM (100 MiB): ' +
        "the results may show the page cache's speed, not the disk's; pass a larger -s, or -o_direct (gobonnie explain size-below-memory)",
    );
    expect(formatLog(start(99, { direct: true }), false)).toHaveLength(1);
  });

  test.each([
    [stepEnd('putc', 21_846, 98), 'Writing with putc()...         done:  21846 kB/s  98.0 %CPU'],
    [stepEnd('rewrite', 11_099.9, 3.1), 'Rewriting...                   done:  11099 kB/s   3.1 %CPU'],
    [stepEnd('write', 58_316, 14), 'Writing intelligently...       done:  58316 kB/s  14.0 %CPU'],
    [stepEnd('getc', 9854, 100), 'Reading with getc()...         done:   9854 kB/s 100.0 %CPU'],
    [stepEnd('read', 167_240, 2), 'Reading intelligently...       done: 167240 kB/s   2.0 %CPU'],
    [stepEnd('seeks', 0, 1, 1), "Seeker 1...start 'em...done..."],
    [stepEnd('seeks', 0, 1, 2), "Seeker 1...Seeker 2...start 'em...done...done..."],
  ])('has a line at the end of each phase %#', (event, line) => {
    expect(logFormats.bonnie(event, false)).toEqual([line]);
  });
});

describe('the log of bonnie++', () => {
  const LINES = {
    putc: 'Writing a byte at a time...done',
    write: 'Writing intelligently...done',
    rewrite: 'Rewriting...done',
    getc: 'Reading a byte at a time...done',
    read: 'Reading intelligently...done',
    seeks: "start 'em...done...done...done...done...done...",
    create: 'Create files in sequential order...done.',
    stat: 'Stat files in sequential order...done.',
    delete: 'Delete files in sequential order...done.',
    'create-random': 'Create files in random order...done.',
    'stat-random': 'Stat files in random order...done.',
    'delete-random': 'Delete files in random order...done.',
  };

  test('has no line at the start', () => {
    expect(logFormats['bonnie++'](start(100), false)).toEqual([]);
  });

  test.each(Object.entries(LINES))('has a line at the end of %s', (phase, line) => {
    expect(logFormats['bonnie++'](stepEnd(phase, 0, 0, 5), false)).toEqual([line]);
  });

  test('has the lines of the real bonnie++', async (context) => {
    requireTools('bonnie++')(context);
    const userFlags = process.getuid?.() === 0 ? ['-u', 'root'] : [];
    const args = ['-d', makeDirectory(), '-r', '0', '-s', '2:4k:500:5', '-n', '1', '-f1'];
    const { stderr } = await startProcess('bonnie++', [...userFlags, ...args]).exitResult;
    const lines = stderr.trimEnd().split('\n');
    // As root, bonnie++ first prints its user.
    expect(lines.filter((line) => !line.startsWith('Using uid'))).toEqual(Object.values(LINES));
  });

  test('is only the tables, at the end, for -q', () => {
    const report = reportWith({ runs: [runWith({ measurements: [measurementWith({ step: 'write' })] })] });
    expect(logFormats['bonnie++-tables'](stepEnd('write'), false)).toEqual([]);
    expect(logFormats['bonnie++-tables']({ type: 'end', report }, false).join('\n')).toMatch(
      /^Version .*\n.*\nName:Size etc .*\n.*\nLatency .*\n$/,
    );
  });
});

const WARNINGS = allWarnings({ platform: 'linux', isRoot: false });

/** bonnie and bonnie++ lack most of gobonnie's flags, so they print a warning without its hint. */
test.each(WARNING_CODES)(
  'the message of %s names no flag, and bonnie and bonnie++ print only the message',
  (code) => {
    const warning = WARNINGS.find((one) => one.code === code);
    if (!warning) throw new Error(`no warning has the code ${code}`);
    expect(warning.message).not.toMatch(/(?<!\S)--?[a-z]/i);
    for (const formatLog of [logFormats.bonnie, logFormats['bonnie++']]) {
      const [line = '', ...more] = formatLog({ type: 'warning', warning }, false);
      expect(more).toEqual([]);
      expect(line).toContain(warning.message);
      expect(line).not.toContain(warning.hint);
    }
  },
);
