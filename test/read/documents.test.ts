import { describe, expect, test } from 'vitest';
import { renderReport, reportFormats } from '../../src/format/index.js';
import { run } from '../../src/library/run.js';
import { readResults } from '../../src/read/index.js';
import { type EventRecord, type RunEvent, toEventRecord } from '../../src/report/events/event-record.js';
import { computeRunStatistics } from '../../src/report/statistics/step-statistics.js';
import { gobonnieErrorWith, reportWith, runWith } from '../support/data/fixtures.js';
import { makeDirectory } from '../support/disks/directory.js';

const runs = [runWith(), runWith()];
const REPORT = reportWith({
  runs,
  statistics: computeRunStatistics(runs),
  warnings: [{ code: 'cliff', step: 'write', message: 'it fell', hint: 'look' }],
  outcome: { state: 'completed' },
  expectations: [{ condition: 'iops>1', unit: 'operationsPerSecond', bound: 1, actual: 2, passed: true }],
});
const TEXT = renderReport(reportFormats.ndjson, REPORT);
const LINES = TEXT.trimEnd().split('\n');

const readReports = (text: string) => readResults(text, 'events.ndjson').map(({ report }) => report);

test('the events of a report give the same report', () => {
  expect(readReports(TEXT)).toEqual([REPORT]);
});

test('events that end after a run have the handling of the page cache', () => {
  const cache = { requested: 'auto', applied: 'evict', reason: null } as const;
  const text = renderReport(reportFormats.ndjson, { ...REPORT, cache });
  const first = text.split('\n').findIndex((line) => line.includes('"type":"run-end"'));
  const start = JSON.parse(text.split('\n')[0] ?? '');
  // At the start, the page cache was not handled yet.
  start.report.cache.applied = 'keep';
  const truncated = [JSON.stringify(start), ...text.split('\n').slice(1, first + 1), ''].join('\n');
  expect(readReports(truncated)).toMatchObject([
    { cache, runs: [{ state: 'completed' }], outcome: { state: 'running' } },
  ]);
});

test('the amount that was laid out before the steps survives a stream that is written while they are measured', async () => {
  const records: EventRecord[] = [];
  const onEvent = (event: RunEvent) => records.push(toEventRecord(event, new Date()));
  const options = { dir: makeDirectory(), size: 0.001, steps: 'read', threads: 1, cache: 'keep' } as const;
  const { layout } = await run(options, { onEvent });
  expect(layout).toMatchObject({ bytes: expect.any(Number) });
  const lines = records.map((record) => JSON.stringify(record));
  const runEnd = records.findIndex(({ type }) => type === 'run-end');
  for (const count of [runEnd + 1, lines.length])
    expect(readReports(lines.slice(0, count).join('\n'))).toMatchObject([{ layout }]);
});

test("warnings have the text of the last run's end, which covers all runs, instead of their first text", () => {
  const first = { code: 'cliff', step: 'write', message: 'it fell', hint: 'look' } as const;
  const later = [{ ...first, message: 'it fell in run 1 and 2' }];
  const report = { ...REPORT, warnings: later };
  const records = [
    ...LINES.slice(0, 6).map((line) => JSON.parse(line)),
    toEventRecord({ type: 'warning', warning: first }, new Date()),
    toEventRecord({ type: 'run-end', run: 1, result: runWith(), report }, new Date()),
  ];
  const text = (more: readonly object[]) =>
    [...records, ...more].map((record) => `${JSON.stringify(record)}\n`).join('');
  expect(readReports(text([]))).toMatchObject([{ warnings: later }]);
  const end = toEventRecord({ type: 'end', report: { ...report, warnings: [...later, first] } }, new Date());
  expect(readReports(text([end]))).toMatchObject([{ warnings: [...later, first] }]);
});

test('samples and unknown events of later versions are skipped', () => {
  const more = LINES.with(
    1,
    `${LINES[1]}\n{"schema":"gobonnie-event/1","type":"later","time":null}\n` +
      '{"schema":"gobonnie-event/1","type":"sample","time":null,"run":1,"step":"write","seconds":1,"bytes":2,"operations":3}',
  );
  expect(readReports(more.join('\n'))).toEqual([REPORT]);
});

describe('a file left by a killed run', () => {
  /** Truncates the file at the start of a line, or some characters into the line. */
  const upTo = (line: number, into = 0) => [...LINES.slice(0, line), LINES[line]?.slice(0, into)].join('\n');

  test('is read to its last line', () => {
    const states = LINES.map((_, line) => {
      const [report] = line === 0 ? [] : readReports(upTo(line));
      return (
        report && [report.runs.map(({ state }) => state).join(), report.runs.at(-1)?.measurements.length]
      );
    });
    expect(states).toEqual([
      undefined,
      ['', undefined],
      ['incomplete', 0],
      ['incomplete', 1],
      ['incomplete', 2],
      ['incomplete', 3],
      ['completed', 3],
      ['completed,incomplete', 0],
      ['completed,incomplete', 1],
      ['completed,incomplete', 2],
      ['completed,incomplete', 3],
      ['completed,completed', 3],
      ['completed,completed', 3],
    ]);
  });

  test.each([1, 40, 400])(
    'is read without its last line if the line is truncated after %i characters',
    (into) => {
      expect(readReports(upTo(4, into))).toEqual(readReports(upTo(4)));
    },
  );
});

describe('a file of events is rejected because of', () => {
  test.each([
    [
      'a truncated line before the last',
      LINES.with(3, LINES[3]?.slice(0, 40) ?? '').join('\n'),
      'line 4 cannot be read: it is not a complete JSON document; use the original, unedited file',
    ],
    [
      'another schema version',
      TEXT.replaceAll('gobonnie-event/1', 'gobonnie-event/2'),
      'line 1 cannot be read: its schema is gobonnie-event/2, not gobonnie-event/1; ' +
        'read it with the version of gobonnie that wrote it',
    ],
    [
      'a missing start',
      LINES.slice(1).join('\n'),
      'line 1 cannot be read: no start event precedes it; use the original, unedited file',
    ],
    [
      'a phase outside a run',
      [LINES[0], LINES[2]].join('\n'),
      'line 2 cannot be read: no run-start event precedes it; use the original, unedited file',
    ],
  ])('%s', (_, text, line) => {
    expect(() => readReports(text)).toThrow(gobonnieErrorWith('input-unreadable', `events.ndjson, ${line}`));
  });

  test('an event that does not match the schema', () => {
    const damaged = TEXT.replace(/"seconds":0\.5/, '"seconds":"0.5"');
    expect(() => readReports(damaged)).toThrow(
      /events\.ndjson, line 3 cannot be read: its measurement\..* is invalid: /,
    );
  });
});
