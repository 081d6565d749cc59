import type { Report, Run } from '../schema/report.js';
import type { EventRecord, RecordContent, RunEvent } from './event-record.js';

/** Returns an event as plain data, without the data of earlier records. */
export function toEventRecord(event: RunEvent, at: Date): EventRecord {
  return createRecord(toContent(event), at.toISOString());
}

/** Rebuilds the events of a report, without samples and most times, which a report lacks. */
export function toEventRecords(report: Report): readonly EventRecord[] {
  const { expectations, memoryCeiling, reference, ...facts } = report;
  // The report as it was before the first measurement.
  const start: Report = { ...facts, runs: [], statistics: [], warnings: [], outcome: { state: 'running' } };
  const records = [
    createRecord({ type: 'start', report: start }, report.startedAt),
    ...report.runs.flatMap((run, at) => toRunRecords(run, at, report)),
    ...report.warnings.map((warning) => createRecord({ type: 'warning', warning })),
  ];
  if (report.outcome.state !== 'running') records.push(createRecord(toEndContent(report)));
  return records;
}

function toRunRecords({ startedAt, state, measurements }: Run, at: number, { cache, memoryCeiling }: Report) {
  const run = at + 1;
  const records = [
    createRecord({ type: 'run-start', run }, startedAt),
    ...measurements.map((measurement) => createRecord({ type: 'step-end', run, measurement })),
  ];
  const end = createRecord({ type: 'run-end', run, startedAt, cache, memoryCeiling });
  return state === 'completed' ? [...records, end] : records;
}

function toContent(event: RunEvent): RecordContent {
  switch (event.type) {
    case 'run-end': {
      const { type, run, result, report } = event;
      const { cache, memoryCeiling, layout, warnings } = report;
      return { type, run, startedAt: result.startedAt, cache, memoryCeiling, layout, warnings };
    }
    case 'step-end': {
      const { report, ...content } = event;
      return content;
    }
    case 'end':
      return toEndContent(event.report);
    default:
      return event;
  }
}

function toEndContent(report: Report): RecordContent {
  const { startedAt, cache, statistics, outcome, expectations, warnings, reference, layout } = report;
  return { type: 'end', startedAt, cache, statistics, outcome, warnings, expectations, reference, layout };
}

/** Puts the schema and type first, so readers can identify a record by the start of its line. */
function createRecord(content: RecordContent, time: string | null = null): EventRecord {
  const { type, ...rest } = content;
  return { schema: 'gobonnie-event/1', type, time, ...rest } as EventRecord;
}
