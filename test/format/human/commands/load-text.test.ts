import { expect, test } from 'vitest';
import { reportAnswer } from '../../../../src/format/human/answer.js';
import { listTable } from '../../../../src/format/human/commands/load-text.js';
import { PLAIN_SCREEN } from '../../../../src/format/human/screen.js';
import { NS_PER_MS } from '../../../../src/text/units.js';
import { measurementWith } from '../../../support/data/fixtures.js';
import { type MeasuredStep, stepsReport } from '../../../support/data/step-reports.js';

const { latencyNs } = measurementWith();

/** A commit whose median, p99 and p99 of the sync alone take these milliseconds. */
function commit(name: string, p50Ms: number, p99Ms: number): MeasuredStep {
  const latency = { ...latencyNs, p50: p50Ms * NS_PER_MS, p99: p99Ms * NS_PER_MS } as NonNullable<
    typeof latencyNs
  >;
  return {
    step: { name, phase: 'commit-etcd' },
    rates: [1e6],
    facts: {
      primaryRate: 'operations',
      latencyNs: latency,
      syncedWrites: { writeLatencyNs: latency, syncLatencyNs: latency },
    },
  };
}

function background(name: string, beside: string): MeasuredStep {
  return {
    step: { name, beside, phase: 'write', ioBytes: 2 ** 20 },
    rates: [5e8],
    facts: { primaryRate: 'bytes' },
  };
}

function commitSteps(aloneMs: number, writerMs: number, readerMs: number): readonly MeasuredStep[] {
  return [
    commit('commit', aloneMs / 2, aloneMs),
    commit('commit.beside-writer', writerMs / 2, writerMs),
    background('writer.beside-commit', 'commit.beside-writer'),
    commit('commit.beside-reader', readerMs / 2, readerMs),
    background('reader.beside-commit', 'commit.beside-reader'),
  ];
}

/** A commit alone, beside a writer and beside a reader. */
function commits(aloneMs: number, writerMs: number, readerMs: number) {
  return stepsReport(commitSteps(aloneMs, writerMs, readerMs), { command: { name: 'load', options: {} } });
}

test('each step has a row alone and below it a row for each background, with its growth and what the background achieved', () => {
  const cells = listTable(commits(1.2, 41, 3), PLAIN_SCREEN).map((line) => line.trim().split(/ {2,}/));
  expect(cells).toEqual([
    ['p50', 'p99', 'p99 alone', 'rate', 'meanwhile'],
    ['commit', '600 µs', '1.2 ms', '244.1/s'],
    ['beside writer', '20.5 ms', '41 ms', '× 34', '244.1/s', '500 MB/s'],
    ['beside reader', '1.5 ms', '3 ms', '× 2.5', '244.1/s', '500 MB/s'],
  ]);
});

test.each([
  [
    1.2,
    41,
    3,
    '99 % of the commits take at most 1.2 ms, and 41 ms while a file is written: not for etcd beside backups.',
  ],
  [
    1.2,
    3,
    12,
    '99 % of the commits take at most 1.2 ms, and 12 ms while a file is read: not for etcd beside large reads.',
  ],
  [
    1.2,
    4,
    3,
    '99 % of the commits take at most 1.2 ms, and 4 ms while a file is written: fast enough for etcd, even beside backups.',
  ],
  [
    12,
    14,
    13,
    '99 % of the commits take at most 12 ms, and 14 ms while a file is written: too slow for etcd, even alone.',
  ],
])(
  'a p99 of %d ms alone, %d beside a writer and %d beside a reader is: %s',
  (alone, writer, reader, sentence) => {
    expect(reportAnswer(commits(alone, writer, reader))).toEqual([sentence]);
  },
);

test.each([
  ['commit', /: above etcd's limit of 10 ms even alone, perhaps because of I\/O of other programs\.$/],
  ['commit.beside-reader', /: too slow for etcd, even alone\.$/],
])(
  'a warning about other programs during %s makes the answer careful only if it concerns the step alone',
  (step, answer) => {
    const warning = { code: 'device-contention', step, message: '', hint: '' };
    expect(reportAnswer({ ...commits(12, 14, 13), warnings: [warning] })[0]).toMatch(answer);
  },
);

test("a control group's limit of writes is a cause of slow commits", () => {
  const report = commits(12, 14, 13);
  const ioLimits = [
    { direction: 'write' as const, unit: 'operations' as const, perSecond: 300, file: 'io.max' },
  ];
  expect(reportAnswer({ ...report, target: { ...report.target, ioLimits } })[0]).toMatch(
    /even alone, perhaps because of the control group's limit\.$/,
  );
});

test('in memory, nothing is said about a disk', () => {
  const report = commits(0.01, 20, 0.01);
  const inMemory = { ...report, target: { ...report.target, isMemory: true } };
  expect(reportAnswer(inMemory)[0]).toBe(
    '99 % of the commits take at most 10 µs, and 20 ms while a file is written: in memory, not on a disk.',
  );
});

test.each([
  ['alone', []],
  ['beside another', [background('copy', 'wal')]],
  ['in a list like that of load', [background('copy', 'wal'), ...commitSteps(1, 2, 3)]],
])('a step %s that load did not choose has the table with a row for each step', (_, others) => {
  const steps = [commit('wal', 1, 2), ...others];
  const table = listTable(stepsReport(steps), PLAIN_SCREEN);
  expect(table.slice(1).map((line) => line.trim().split(' ')[0])).toEqual(
    expect.arrayContaining(steps.map(({ step }) => step.name)),
  );
});
