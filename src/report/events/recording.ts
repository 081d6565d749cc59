import type { Report, Run } from '../schema/report.js';
import type { RunEvent } from './event.js';
import type { EventRecord } from './event-record.js';

/** Each kind of record without the keys that all have. */
type Content<Kind> = Kind extends EventRecord ? Omit<Kind, 'schema' | 'time'> : never;

/** An event as plain data, without what an earlier record holds. */
export function recordOf(event: RunEvent, at: Date): EventRecord {
  return record(contentOf(event), at.toISOString());
}

/** The events of a report as far as they are still known: without samples and most times. */
export function recordsOf(report: Report): readonly EventRecord[] {
  return [
    record({ type: 'start', report: startOf(report) }, report.startedAt),
    ...report.runs.flatMap((run, index) => recordsOfRun(run, index, report)),
    ...report.warnings.map((warning) => record({ type: 'warning', warning })),
    ...(report.outcome.state === 'running' ? [] : [record(endOf(report))]),
  ];
}

function recordsOfRun(
  { startedAt, state, measurements }: Run,
  index: number,
  report: Report,
): readonly EventRecord[] {
  const run = index + 1;
  return [
    record({ type: 'run-start', run }, startedAt),
    ...measurements.map((measurement) => record({ type: 'phase-end', run, measurement })),
    ...(state === 'completed' ? [record({ type: 'run-end', run, startedAt, ...knownIn(report) })] : []),
  ];
}

function contentOf(event: RunEvent): Content<EventRecord> {
  switch (event.type) {
    case 'run-end':
      return {
        type: 'run-end',
        run: event.run,
        startedAt: event.result.startedAt,
        ...knownIn(event.report),
        warnings: event.report.warnings,
      };
    case 'phase-end':
      return { type: 'phase-end', run: event.run, measurement: event.measurement };
    case 'end':
      return endOf(event.report);
    default:
      return event;
  }
}

/** What is known of all runs when one has ended. */
function knownIn({ cache, memoryCeiling }: Report) {
  return { cache, ...(memoryCeiling !== undefined && { memoryCeiling }) };
}

/** The report before anything was measured. */
function startOf({ expectations, memoryCeiling, ...report }: Report): Report {
  return { ...report, runs: [], statistics: [], warnings: [], outcome: { state: 'running' } };
}

function endOf(report: Report): Content<EventRecord> {
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

/** With the schema and type first, so that readers can tell by the start of the line. */
function record(content: Content<EventRecord>, time: string | null = null): EventRecord {
  const { type, ...rest } = content;
  return { schema: 'gobonnie-event/1', type, time, ...rest } as EventRecord;
}
