import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { EXIT_CODES } from '../../../src/cli/exit-codes.js';
import { terminalAudience } from '../../../src/cli/output/terminal-messages.js';
import { PLAIN_PAINT } from '../../../src/format/human/screen.js';
import type { OptionsInput } from '../../../src/options/options-schema.js';
import { mixedLoad } from '../../../src/presets/load-presets.js';
import { presets } from '../../../src/presets/preset-catalogue.js';
import type { Report, Warning } from '../../../src/report/schema/report.js';
import { displayWidth } from '../../../src/text/width.js';
import {
  type MachineFacts,
  measurementWith,
  planWith,
  reportWith,
  runWith,
} from '../../support/data/fixtures.js';
import { ROOT } from '../../support/root.js';

const DIRTY = {
  code: 'still-dirty',
  step: 'write',
  message: 'only 0.0 % had reached the device when the clock stopped (the rest reached only the page cache)',
  hint: 'include the final sync: pass --no-fsync=false',
} as const;
const CEILING = [
  { step: 'read', perSecond: 8.2e9 },
  { step: 'iops', perSecond: 814_183.4 },
];

interface TestOptions {
  readonly columns?: number;
  readonly unicode?: boolean;
  readonly verbose?: boolean;
  readonly showsTable?: boolean;
  readonly out?: readonly string[];
  readonly options?: OptionsInput;
  readonly machine?: MachineFacts;
}

function messagesFor(testOptions: TestOptions = {}) {
  const { columns = 80, unicode = true, verbose = false, showsTable = true } = testOptions;
  const { out = [], options, machine } = testOptions;
  const plan = planWith({ size: 1, threads: 2, ...options }, machine);
  const screen = { columns, unicode, paint: PLAIN_PAINT };
  const messages = terminalAudience(
    plan,
    screen,
    showsTable,
    { verbose, quiet: false, strict: false, out: [...out] },
    plan.options.runs,
  );
  return {
    start: () => messages.forEvent({ type: 'start', report: reportWith() }),
    before: (runs: Report['runs']) => messages.beforeResults(verdictOn({ ...completedReport([]), runs })),
    after: (...warnings: Warning[]) => messages.afterResults(verdictOn(completedReport(warnings))),
    afterReport: (facts: Partial<Report>) =>
      messages.afterResults(verdictOn({ ...completedReport([DIRTY]), ...facts })),
  };
}

function verdictOn(report: Report) {
  return { report, baseline: undefined, exitCode: EXIT_CODES.success };
}

function completedReport(warnings: Warning[]): Report {
  const runs = [runWith()];
  return reportWith({ runs, warnings, memoryCeiling: CEILING });
}

describe('the headline', () => {
  test('has the directory, filesystem, device, size, threads and cache handling', () => {
    const [first, second] = messagesFor({ columns: 120 }).start();
    expect(first).toMatch(
      /^gobonnie \S+ {3}\/mnt\/disk: ext4 on \/dev\/vda {3}1 GiB, 2 threads, buffered, cache dropped before reads$/,
    );
    expect(second).toBe('  iops: 512 bytes, 90 % reads');
  });

  test.each<[string, OptionsInput, NodeJS.Platform]>([
    ['Windows, where no program can drop it', {}, 'win32'],
    ['phases that read no data', { phases: ['create', 'stat'] }, 'linux'],
  ])('does not claim a dropped cache for %s', (_, options, platform) => {
    const [first] = messagesFor({ columns: 140, machine: { platform }, options }).start();
    expect(first).toMatch(/ buffered( {3}iops|$)/);
  });

  test('of several runs estimates the written data and the time, and suggests a faster run', () => {
    const [first] = messagesFor({ columns: 140, options: { size: 4, runs: 5, iopsDuration: 15 } }).start();
    expect(first).toBe(
      'Writes about 20.1 GiB in 5 runs, about 2 min 46 s at 500 MB/s; gobonnie quick takes 30 s',
    );
  });

  test('has the same estimate before a long single run', () => {
    const [first] = messagesFor({ options: { size: 48 } }).start();
    expect(first).toMatch(
      /^Writes about 48 GiB, about \d+ min \d+ s at 500 MB\/s; gobonnie quick takes 30 s$/,
    );
  });

  test('of synced writes estimates the time by kinds of disk, because a rate does not tell it', () => {
    const [first] = messagesFor({ columns: 140, options: { ...presets.etcd.options, runs: 3 } }).start();
    expect(first).toBe(
      'Writes at most 66 MiB in 3 runs, about 15 s on an NVMe SSD, 3 min 0 s on a hard disk',
    );
  });

  test('of workloads that only create files has the space that they need', () => {
    const [first] = messagesFor({ options: { phases: ['install', 'clean'], runs: 3 } }).start();
    expect(first).toMatch(/^Uses at most \d+(\.\d)? [MG]iB of space in 3 runs$/);
  });

  test('of load has the same estimate as the docs, with the time in which each background builds up', () => {
    const [first = ''] = messagesFor({ columns: 140, options: mixedLoad }).start();
    expect(first).toMatch(/^Writes about .* GiB at 500 MB\/s, .* GiB at 2000 MB\/s, about 37 s$/);
    const page = readFileSync(path.join(ROOT, 'docs/over-time.md'), 'utf8').replaceAll('\n', ' ');
    expect(page).toContain(first.replace('Writes about', 'writes about').replace(/, about 37 s$/, ''));
  });

  test('is not printed if the table is not on the same screen', () => {
    expect(messagesFor({ showsTable: false }).start()).toEqual([]);
  });
});

describe('a warning', () => {
  test('is one line with its phase, what to do, and its code at the end', () => {
    const [, line] = messagesFor({ columns: 220 }).after(DIRTY);
    expect(line).toBe(
      '  ! Sequential Write: only 0.0 % had reached the device when the clock stopped (the rest reached only the page cache); include the final sync: pass --no-fsync=false   still-dirty',
    );
  });
});

test('an urgent warning is not repeated after the results', () => {
  const urgent = { code: 'no-cleanup-process', step: null, message: 'it has ended', hint: 'none' } as const;
  expect(messagesFor().after(urgent).join('\n')).not.toContain('it has ended');
});

describe('the closing line', () => {
  test('has the duration and the written bytes, and reports the removal of the files', () => {
    expect(messagesFor().after().at(-1)).toMatch(/^ {2}\S+ s, \S+ MiB written, all removed\.$/);
  });

  test.each([
    ['first-read,paths=/srv second-read', ' s, nothing written.   '],
    ['open,direct', ' s, all removed.   '],
  ])('of a run of the steps %s, which measures no writes, has %j', (steps, end) => {
    const line = messagesFor({ options: { steps } }).afterReport({ runs: [] }).at(-1);
    expect(line).toContain(end);
  });

  test('says that --verify found all data as written', () => {
    const [line] = messagesFor({ options: { verify: true } })
      .after()
      .slice(-1);
    expect(line).toContain(' all removed.   All data read is as written.');
  });

  test('does not tear the command of npx', () => {
    vi.stubEnv('npm_command', 'exec');
    for (let columns = 50; columns < 80; columns++)
      expect(messagesFor({ columns }).after(DIRTY).at(-1)).toContain(`npx gobonnie explain ${DIRTY.code}`);
  });

  test('names the files of --out', () => {
    const [, line] = messagesFor({ out: ['disk.json', 'my disk.md'] }).after();
    expect(line).toContain(' all removed.   Wrote disk.json, "my disk.md".');
  });

  test.each([
    { state: 'failed', code: 'cleanup-failed', message: 'cannot remove /mnt/disk/x', hint: 'remove it' },
    { state: 'aborted', reason: 'SIGINT' },
  ] as const)('names no files after a run with the state $state', (outcome) => {
    const lines = messagesFor({ out: ['disk.json'] }).afterReport({ outcome });
    expect(lines.slice(-2)).toEqual(['', '  For details: gobonnie explain still-dirty']);
  });
});

test('-v adds a table of details of the last run before the results', () => {
  const { before, after } = messagesFor({ verbose: true });
  expect(before([runWith(), runWith()])).toEqual([
    '  run 2     amount    time   CPU   device  longest    ceiling',
    '  write    512 MiB   0.5 s  75 %  100.0 %   121 µs',
    '  read     512 MiB  0.25 s  75 %  100.0 %   121 µs  8200 MB/s',
    '  iops   10000 ops   0.5 s  75 %  100.0 %   121 µs   814183/s',
    '',
  ]);
  expect(before([runWith()])[0]).toMatch(/^ {2}run 1 /);
  const status = measurementWith({ step: 'status', phase: 'status' });
  expect(before([runWith({ measurements: [status] })])[0]).not.toContain('device');
  expect(after()).toEqual(['', expect.stringMatching(/ written, all removed\.$/)]);
  expect(messagesFor({ showsTable: false }).after()).toEqual([]);
});

test.each([40, 60, 140])('every line fits in %d columns without splitting a word', (columns) => {
  const messages = messagesFor({ columns, options: { runs: 5 } });
  const lines = [...messages.start(), ...messages.after(DIRTY)];
  for (const line of lines) expect(displayWidth(line), line).toBeLessThan(columns);
  const words = lines.join(' ').split(/\s+/);
  for (const word of ['/mnt/disk:', 'buffered,', 'still-dirty', 'written,']) expect(words).toContain(word);
});
