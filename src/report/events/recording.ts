import type { Report, Run } from '../schema/report.js';
import type { RunEvent } from './event.js';
import type { EventRecord } from './event-record.js';

/** Each kind of record without the keys that all records share. */
type RecordContent<Kind> = Kind extends EventRecord ? Omit<Kind, 'schema' | 'time'> : never;

/** An event as plain data, without what an earlier record holds. */
export function toEventRecord(event: RunEvent, at: Date): EventRecord {
  return createRecord(toContent(event), at.toISOString());
}

/** The events of a report as far as they are still known: without samples and most times. */
export function toEventRecords(report: Report): readonly EventRecord[] {
  return [
    createRecord({ type: 'start', report: toStartReport(report) }, report.startedAt),
    ...report.runs.flatMap((run, index) => toRunRecords(run, index, report)),
    ...report.warnings.map((warning) => createRecord({ type: 'warning', warning })),
    ...(report.outcome.state === 'running' ? [] : [createRecord(toEndContent(report))]),
  ];
}

function toRunRecords(
  { startedAt, state, measurements }: Run,
  index: number,
  report: Report,
): readonly EventRecord[] {
  const run = index + 1;
  return [
    createRecord({ type: 'run-start', run }, startedAt),
    ...measurements.map((measurement) => createRecord({ type: 'phase-end', run, measurement })),
    ...(state === 'completed'
      ? [createRecord({ type: 'run-end', run, startedAt, ...runTotals(report) })]
      : []),
  ];
}

function toContent(event: RunEvent): RecordContent<EventRecord> {
  switch (event.type) {
    case 'run-end':
      return {
        type: 'run-end',
        run: event.run,
        startedAt: event.result.startedAt,
        ...runTotals(event.report),
        warnings: event.report.warnings,
      };
    case 'phase-end':
      return { type: 'phase-end', run: event.run, measurement: event.measurement };
    case 'end':
      return toEndContent(event.report);
    default:
      return event;
  }
}

/** What is known of all runs when one has ended. */
function runTotals({ cache, memoryCeiling }: Report) {
  return { cache, ...(memoryCeiling !== undefined && { memoryCeiling }) };
}

/** The report before anything was measured. */
function toStartReport({ expectations, memoryCeiling, ...report }: Report): Report {
  return { ...report, runs: [], statistics: [], warnings: [], outcome: { state: 'running' } };
}

function toEndContent(report: Report): RecordContent<EventRecord> {
  const { startedAt, cache, statistics, outcome, expectations, warnings } = report;
  return {
    type: 'end',
    startedAt,
    cache,
    statistics,
    outcome,
    warnings,
    ...(expectations && { expectations }),
  };
}

/** Puts the schema and type first to let readers identify the record by the start of the line. */
function createRecord(content: RecordContent<EventRecord>, time: string | null = null): EventRecord {
  const { type, ...rest } = content;
  return { schema: 'gobonnie-event/1', type, time, ...rest } as EventRecord;
}
