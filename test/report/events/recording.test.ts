import { describe, expect, test } from 'vitest';
import { run } from '../../../src/library/run.js';
import {
  type EventRecord,
  eventRecordSchema,
  type RunEvent,
} from '../../../src/report/events/event-record.js';
import { toEventRecord, toEventRecords } from '../../../src/report/events/recording.js';
import { reportWith, runWith } from '../../support/data/fixtures.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { SMALL_OPTIONS } from '../../support/programs/small-run.js';

const AT = new Date('2018-04-12T13:46:02.500Z');
const listTypes = (records: readonly EventRecord[]) =>
  records.map(({ type }) => type).filter((type) => type !== 'sample');

/** Parses the record like a reader of the file. */
function parseRecord(record: EventRecord): unknown {
  return eventRecordSchema.parse(JSON.parse(JSON.stringify(record)));
}

test('every event of a real run fits the schema and survives JSON, with schema, type and time first', async () => {
  const events: RunEvent[] = [];
  const records: EventRecord[] = [];
  const onEvent = (event: RunEvent) => {
    events.push(event);
    records.push(toEventRecord(event, AT));
  };
  const report = await run({ dir: makeDirectory(), ...SMALL_OPTIONS }, { onEvent });
  expect(records.map(parseRecord)).toEqual(records.map((record) => JSON.parse(JSON.stringify(record))));
  expect(new Set(records.map((record) => Object.keys(record).slice(0, 3).join()))).toEqual(
    new Set(['schema,type,time']),
  );
  expect(new Set(records.map(({ time }) => time))).toEqual(new Set([AT.toISOString()]));
  expect(records.map(({ type }) => type)).toEqual(events.map(({ type }) => type));
  const [first] = records;
  expect(first?.type === 'start' && first.report.target).toEqual(report.target);
  expect(records.at(-1)).toMatchObject({
    type: 'end',
    outcome: { state: 'completed' },
    statistics: report.statistics,
  });
});

describe('the records of a report', () => {
  const expectations = [
    { condition: 'iops>1', unit: 'operationsPerSecond', bound: 1, actual: 2, passed: true } as const,
  ];
  const warnings = [{ code: 'cliff', step: 'write', message: 'it fell', hint: 'look' } as const];
  const stopped = runWith({ state: 'incomplete', measurements: runWith().measurements.slice(0, 1) });
  const report = reportWith({
    runs: [runWith(), stopped],
    expectations,
    warnings: [...warnings],
    outcome: { state: 'aborted', reason: 'SIGINT' },
  } as Parameters<typeof reportWith>[0]);

  test('contain the measurements, in order', () => {
    const records = toEventRecords(report);
    const run = ['run-start', 'step-end', 'step-end', 'step-end', 'run-end'];
    expect(listTypes(records)).toEqual(['start', ...run, 'run-start', 'step-end', 'warning', 'end']);
    for (const record of records) expect(parseRecord(record)).toEqual(record);
    expect(records.at(-1)).toMatchObject({ outcome: report.outcome, expectations });
  });

  test('have no end if the run was still running', () => {
    expect(listTypes(toEventRecords({ ...report, outcome: { state: 'running' } })).at(-1)).toBe('warning');
  });
});
