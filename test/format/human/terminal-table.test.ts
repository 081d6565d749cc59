import { describe, expect, test } from 'vitest';
import { PLAIN_PAINT, type Screen } from '../../../src/format/human/screen.js';
import { createTableFormat } from '../../../src/format/human/terminal-table.js';
import { renderReport, reportFormats } from '../../../src/format/index.js';
import type { Report } from '../../../src/report/schema/report.js';
import { displayWidth } from '../../../src/text/width.js';
import { measurementWith, reportWith, runsAt, runWith } from '../../support/data/fixtures.js';
import { foreignRunWith, perSecond } from '../../support/data/foreign-runs.js';
import { stepsReport } from '../../support/data/step-reports.js';

const ONE_RUN = reportWith({ runs: [runWith()] });
const CACHED_READ = measurementWith({
  step: 'read',
  title: 'Sequential Read',
  readBytes: 1000,
  writtenBytes: 0,
  device: { readBytes: 0, writtenBytes: 0, dirtyBytes: 0, share: 0.1, reason: null },
});

function tableLines(report: Report, screen: Partial<Screen> = {}): readonly string[] {
  const format = createTableFormat({ columns: 80, paint: PLAIN_PAINT, ...screen });
  return renderReport(format, report).split('\n').slice(0, -1);
}

/** Returns a report of several runs of a write at these rates. */
function severalRuns(...rates: readonly number[]): Report {
  const { options } = ONE_RUN;
  return {
    ...ONE_RUN,
    options: { ...options, runs: rates.length, phases: ['write'] },
    runs: runsAt(...rates),
  };
}

describe('a single run', () => {
  test("has a row for each phase with the disk's rate, the latencies and the rate over time", () => {
    expect(tableLines(ONE_RUN)).toEqual([
      '           on the disk        p50        p99     over time',
      '  write      1074 MB/s    59.9 µs    59.9 µs  ████████████',
      '  read       2147 MB/s    59.9 µs    59.9 µs  ████████████',
      expect.stringMatching(/^ {2}iops {9}20000\/s {4}59\.9 µs {4}59\.9 µs {2}\S{12}$/),
    ]);
  });

  test('of the phases of developers has their workloads instead', () => {
    const options = { ...ONE_RUN.options, phases: ['status' as const] };
    const measurements = [measurementWith({ step: 'status', title: 'git status', phase: 'status' })];
    const lines = tableLines({ ...ONE_RUN, options, runs: [runWith({ measurements })] });
    expect(lines).toEqual([expect.stringMatching(/^git status {2}1,000 packages {2}.* warm$/)]);
  });

  test('shows no rate for cached reads', () => {
    const report = { ...ONE_RUN, runs: [runWith({ measurements: [CACHED_READ] })] };
    const [row] = tableLines(report);
    expect(row).toMatch(/^ {2}read {9}unknown {4}59\.9 µs/);
    expect(row).not.toContain('MB/s');
  });

  test('on a filesystem in RAM shows the timed rates under "in memory"', () => {
    const report = { ...ONE_RUN, target: { ...ONE_RUN.target, isMemory: true } };
    const [head, write] = tableLines(report);
    expect(head).toMatch(/^ +in memory /);
    expect(write).toMatch(/^ {2}write {6}1074 MB\/s /);
  });
});

test('a list of steps has a row for each step, and below a mixed step rows for its reads and its writes', () => {
  const mixed = { name: 'rnd4k-q64t2.mix', mixPercent: 75, threads: 128 };
  const steps = [
    { step: { name: 'rnd4k-t1.read' }, rates: [4.096e6] },
    { step: mixed, rates: [8.192e6] },
  ];
  expect(tableLines(stepsReport(steps)).slice(0, 5)).toEqual([
    '                      MB/s     IOPS   varies      p50      p99   device',
    '  rnd4k-t1.read      4.096     1000           59.9 µs  59.9 µs  100.0 %',
    '  rnd4k-q64t2.mix    8.192     2000           59.9 µs  59.9 µs  100.0 %',
    '    reads            6.144     1500',
    '    writes           2.048      500',
  ]);
});

test.each([
  ['at a terminal of 80 columns', 23, createTableFormat({ columns: 80, paint: PLAIN_PAINT })],
  ['in a pipe', 60, reportFormats.table],
])('a list of steps %s has the share of the device beside a name of %d characters', (_, length, format) => {
  const report = stepsReport([{ step: { name: 'n'.repeat(length) }, rates: [4.096e6] }]);
  expect(renderReport(format, report)).toMatch(/ device\n {2}n+ .* 100\.0 %\n/);
});

test.each([
  ['cached', 0.3],
  ['unknown', null],
])('a list of steps shows no rate but "%s" if the share of the device is %s', (word, share) => {
  const { device } = ONE_RUN.runs[0]?.measurements[0] ?? CACHED_READ;
  const report = stepsReport([
    { step: { name: 'a' }, rates: [4.096e6], facts: { device: { ...device, share } } },
  ]);
  expect(tableLines(report)[1]).toMatch(new RegExp(`^ {2}a +${word} +${word} `));
});

test('a list of steps names the steps that were measured again with direct I/O', () => {
  const report = stepsReport([
    { step: { name: 'again' }, rates: [4.096e6] },
    { step: { name: 'once' }, rates: [1e6] },
  ]);
  const cached = { seconds: 6, bytesPerSecond: 1e9, operationsPerSecond: 2e5, deviceShare: 0.3 };
  const runs = report.runs.map((run) => ({
    ...run,
    measurements: run.measurements.map((one) => (one.step === 'again' ? { ...one, cached } : one)),
  }));
  expect(tableLines({ ...report, runs }).join('\n')).toContain(
    '\n\n  Measured again with direct I/O, because the page cache served a part: again.',
  );
  expect(tableLines(report).join('\n')).not.toContain('Measured again');
});

test.each([
  ['the interval of its mean', [400e6, 404e6, 402e6], '± 4 %'],
  ['the lowest and the highest rate if the interval is wide', [400e6, 900e6, 1200e6], '400-1200'],
  ['short numbers in a row that must be narrow', [40.96e6, 409.6e6, 819.2e6], '10k-200k', 4096],
])('a list of steps shows %s', (_, rates, spread, ioBytes = 1_000_000) => {
  const phase = ioBytes === 4096 ? 'random' : 'read';
  const facts = { primaryRate: phase === 'read' ? ('bytes' as const) : ('operations' as const) };
  const report = stepsReport([{ step: { name: 'a', phase, ioBytes }, rates, facts }]);
  expect(tableLines(report)[1]).toContain(` ${spread} `);
});

describe('several runs', () => {
  test('are one row for each phase, with the mean, its interval and the range', () => {
    expect(tableLines(severalRuns(100e6, 110e6, 90e6, 105e6, 95e6))).toEqual([
      '           on the disk     varies        lowest and highest        p99',
      '  write     99.75 MB/s     ± 22 %       90 MB/s to 110 MB/s    59.9 µs',
    ]);
  });

  test('that are too few for an interval only have a range', () => {
    expect(tableLines(severalRuns(100e6, 300e6))).toEqual([
      '           on the disk        lowest and highest        p99',
      '  write     173.2 MB/s      100 MB/s to 300 MB/s    59.9 µs',
    ]);
  });
});

test('several runs of which none is complete have the results of the incomplete one', () => {
  const { options } = ONE_RUN;
  const runs = [runWith({ state: 'incomplete' })];
  const lines = tableLines({ ...ONE_RUN, options: { ...options, runs: 5 }, runs });
  expect(lines.map((line) => line.trim().split(/ {2,}/).slice(0, 2))).toEqual([
    ['on the disk', 'p99'],
    ['write', '1074 MB/s'],
    ['read', '2147 MB/s'],
    ['iops', '20000/s'],
  ]);
});

test('results of another program have rates', () => {
  const run = foreignRunWith({ values: { seeks: perSecond(159.7, 1) } });
  const { render } = createTableFormat({ columns: 80, paint: PLAIN_PAINT });
  const text = render?.([{ report: null, runs: [run] }]);
  expect(text).toMatch(/^ +rate\n {2}seeks {8}159\.7\/s\n/);
});

test.each([40, 46, 60, 80, 140])(
  'every line fits in %d columns, and has the name and the rate',
  (columns) => {
    for (const report of [ONE_RUN, severalRuns(100e6, 110e6, 90e6)]) {
      const lines = tableLines(report, { columns });
      expect(Math.max(...lines.map(displayWidth))).toBeLessThan(columns);
      expect(lines[1]).toMatch(/^ {2}write +\S+ MB\/s/);
    }
  },
);

test.each([
  ['fill', 'fill'],
  ['first-read', 'first-read'],
  ['ping', 'random'],
  ['sweep', 'random'],
] as const)('the text of a report of %s has no control characters of its names', (command, phase) => {
  const name = `${phase}\u001b[31m`;
  const device = { readBytes: 1, writtenBytes: 1, dirtyBytes: 0, share: null, reason: name };
  const facts = { device, readBytes: 1 };
  const { target, ...report } = stepsReport([{ step: { name, phase }, rates: [1e6], facts }]);
  const lines = tableLines({
    ...report,
    target: { ...target, filesystem: name, device: name },
    command: { name: command, options: {} },
  });
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.join('\n')).not.toContain('\u001b');
});
