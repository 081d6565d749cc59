import { expect, test } from 'vitest';
import { run } from '../../../src/library/run.js';
import {
  type EventRecord,
  eventRecordSchema,
  type RunEvent,
  toEventRecord,
} from '../../../src/report/events/event-record.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { SMALL_OPTIONS } from '../../support/programs/small-run.js';

const AT = new Date('2018-04-12T13:46:02.500Z');

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
