import { expect, test } from 'vitest';
import { run } from '../../../src/library/run.js';
import {
  type EventRecord,
  eventRecordSchema,
  type RunEvent,
  toEventRecord,
} from '../../../src/report/events/event-record.js';
import { reportSchema } from '../../../src/report/schema/report.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { SMALL_OPTIONS } from '../../support/programs/small-run.js';

const AT = new Date('2018-04-12T13:46:02.500Z');

/** Parses the record like a reader of the file. */
function parseRecord(record: EventRecord): unknown {
  return eventRecordSchema.parse(JSON.parse(JSON.stringify(record)));
}

test('the report and every event of a real run fit their schemas and survive JSON', async () => {
  const events: RunEvent[] = [];
  const records: EventRecord[] = [];
  const onEvent = (event: RunEvent) => {
    events.push(event);
    records.push(toEventRecord(event, AT));
  };
  const options = { ...SMALL_OPTIONS, oneFile: true, unique: true, verify: true, noFsync: true, runs: 2 };
  const report = await run({ dir: makeDirectory(), ...options }, { onEvent });
  expect(reportSchema.parse(report)).toEqual(report);
  expect(reportSchema.parse(JSON.parse(JSON.stringify(report)))).toEqual(report);
  expect(records.map(parseRecord)).toEqual(records.map((record) => JSON.parse(JSON.stringify(record))));
  for (const record of records) expect(Object.keys(record).slice(0, 3)).toEqual(['schema', 'type', 'time']);
  expect(records.filter(({ time }) => time !== AT.toISOString())).toEqual([]);
  expect(records.map(({ type }) => type)).toEqual(events.map(({ type }) => type));
  const [first] = records;
  expect(first?.type === 'start' && first.report.target).toEqual(report.target);
  expect(records.at(-1)).toMatchObject({
    type: 'end',
    outcome: { state: 'completed' },
    statistics: report.statistics,
  });
});
