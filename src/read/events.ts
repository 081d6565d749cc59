import { EVENT_SCHEMA, type EventRecord, eventRecordSchema } from '../report/events/event-record.js';
import type { Results } from '../report/results.js';
import { resultsOfReport } from '../report/results-of-report.js';
import type { Report, Run } from '../report/schema/report.js';
import { statisticsOfRuns } from '../report/statistics/figures.js';
import { incompleteJson, parsed, wrongSchema } from './documents.js';
import { atLine, linesOf, Misreading, refuseMany, refuseSprawl, validated } from './guard.js';

const FIRST_LINE = /^\s*\{\s*"schema"\s*:\s*"gobonnie-event\//;
const TYPES: ReadonlySet<unknown> = new Set(eventRecordSchema.options.map(({ shape }) => shape.type.value));

export function isEvents(text: string): boolean {
  return FIRST_LINE.test(text);
}

/** Rebuilds the reports from their events, in order. One whose events stop early is as complete as they are. */
export function readEvents(text: string): readonly Results[] {
  refuseSprawl(text);
  const reports: Report[] = [];
  for (const [line, number] of linesOf(text)) {
    if (line.trim() === '') continue;
    const document = parsed(line);
    if (document) atLine(number, () => apply(recordIn(document), reports));
    // A process that was killed while writing leaves part of a line.
    else if (isUnfinished(line, text)) break;
    else throw incompleteJson(number);
    refuseMany(reports.length + (reports.at(-1)?.runs.length ?? 0));
  }
  return reports.map((report) => {
    if (report.outcome.state === 'running') report.statistics = statisticsOfRuns(report.runs);
    return resultsOfReport(report);
  });
}

function isUnfinished(line: string, text: string): boolean {
  return !text.endsWith('\n') && text.endsWith(line);
}

/** Null for an event type that a later version added. */
function recordIn(document: object): EventRecord | null {
  const { schema, type } = document as Partial<EventRecord>;
  if (schema !== EVENT_SCHEMA) throw wrongSchema(schema, EVENT_SCHEMA);
  if (!TYPES.has(type)) return null;
  validated(eventRecordSchema, document);
  // Not zod's copy, which would drop fields that a later version added.
  return document as EventRecord;
}

/** Applies an event to the last report. */
function apply(record: EventRecord | null, reports: Report[]): void {
  switch (record?.type) {
    case 'start':
      reports.push(record.report);
      break;
    case 'run-start': {
      const report = lastReport(reports);
      const startedAt = record.time ?? report.startedAt;
      report.runs.push({ startedAt, state: 'incomplete', measurements: [] });
      break;
    }
    case 'phase-end':
      lastRun(reports).measurements.push(record.measurement);
      break;
    case 'run-end':
      Object.assign(lastRun(reports), { startedAt: record.startedAt, state: 'completed' });
      if (record.cache) lastReport(reports).cache = record.cache;
      if (record.memoryCeiling !== undefined) lastReport(reports).memoryCeiling = record.memoryCeiling;
      if (record.warnings) lastReport(reports).warnings = record.warnings;
      break;
    case 'warning':
      lastReport(reports).warnings.push(record.warning);
      break;
    case 'end': {
      const { startedAt, cache, statistics, outcome, expectations, warnings } = record;
      const known = { ...(expectations && { expectations }), ...(warnings && { warnings }) };
      Object.assign(lastReport(reports), { startedAt, cache, statistics, outcome, ...known });
    }
  }
}

function lastReport(reports: readonly Report[]): Report {
  return preceding(reports.at(-1), 'start');
}

function lastRun(reports: readonly Report[]): Run {
  return preceding(lastReport(reports).runs.at(-1), 'run-start');
}

function preceding<Part>(part: Part | undefined, type: string): Part {
  if (part === undefined) throw new Misreading(`no ${type} event precedes it`);
  return part;
}
