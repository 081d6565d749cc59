import { EVENT_SCHEMA, type EventRecord, eventRecordSchema } from '../report/events/event-record.js';
import type { Results } from '../report/results.js';
import { resultsOfReport } from '../report/results-of-report.js';
import type { Report, Run } from '../report/schema/report.js';
import { statisticsOfRuns } from '../report/statistics/figures.js';
import { shown } from '../text/escape.js';
import { parsed } from './documents.js';
import { atLine, linesOf, Misreading, refuseMany, refuseSprawl, validated } from './guard.js';

/** How the first line begins. */
const EVENT = /^\s*\{\s*"schema"\s*:\s*"gobonnie-event\//;
const TYPES: ReadonlySet<unknown> = new Set(eventRecordSchema.options.map(({ shape }) => shape.type.value));

export function isEvents(text: string): boolean {
  return EVENT.test(text);
}

/** The reports that events tell of, one after the other, each as far as it came. */
export function readEvents(text: string): readonly Results[] {
  refuseSprawl(text);
  const reports: Report[] = [];
  for (const [line, number] of linesOf(text)) {
    if (line.trim() === '') continue;
    const document = parsed(line);
    if (document) atLine(number, () => take(recordIn(document), reports));
    // What a kill in the midst of a write leaves.
    else if (isCut(line, text)) break;
    else throw new Misreading('it is no whole JSON document', undefined, number);
    refuseMany(reports.length + (reports.at(-1)?.runs.length ?? 0));
  }
  return reports.map((report) => {
    if (report.outcome.state === 'running') report.statistics = statisticsOfRuns(report.runs);
    return resultsOfReport(report);
  });
}

function isCut(line: string, text: string): boolean {
  return !text.endsWith('\n') && text.endsWith(line);
}

/** Null for a kind that a later version has added. */
function recordIn(document: object): EventRecord | null {
  const { schema, type } = document as Partial<EventRecord>;
  if (schema !== EVENT_SCHEMA) {
    throw new Misreading(
      `its schema is ${shown(schema)}, and not ${EVENT_SCHEMA}`,
      'show it with the version of gobonnie that wrote it',
    );
  }
  if (!TYPES.has(type)) return null;
  validated(eventRecordSchema, document);
  // As it came: what a later version added stays in it.
  return document as EventRecord;
}

/** Adds to the last of the reports what happened in it. */
function take(record: EventRecord | null, reports: Report[]): void {
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
      break;
    case 'warning':
      lastReport(reports).warnings.push(record.warning);
      break;
    case 'end': {
      const { startedAt, cache, statistics, outcome, expectations } = record;
      const known = expectations ? { expectations } : {};
      Object.assign(lastReport(reports), { startedAt, cache, statistics, outcome, ...known });
    }
  }
}

function lastReport(reports: readonly Report[]): Report {
  return mustCome(reports.at(-1), 'start');
}

function lastRun(reports: readonly Report[]): Run {
  return mustCome(lastReport(reports).runs.at(-1), 'run-start');
}

function mustCome<Part>(part: Part | undefined, type: string): Part {
  if (part === undefined) throw new Misreading(`it comes before any ${type}`);
  return part;
}
