import { EVENT_SCHEMA, type EventRecord, eventRecordSchema } from '../report/events/event-record.js';
import { type Results, toResults } from '../report/results.js';
import { type Report, type Run, reportSchema } from '../report/schema/report.js';
import { computeRunStatistics } from '../report/statistics/step-statistics.js';
import { parseJsonObject } from '../text/json.js';
import { toGobonniegoRuns } from './compat/gobonniego.js';
import { checkSchema, ReadError, readLines, validateDocument } from './guard.js';

const DOCUMENT_HINT = 'use the .json or .ndjson file of --out, or the output of --json';

const DOCUMENT_START = /^\s*(\{|\[\s*\{)/;
/** The lines that may be documents, as `>>` collects them. */
export const DOCUMENT_LINES = /^[ \t]*\{.*$/gm;

/** Reads a text that is a document or an array of documents. Null for any other text. */
export function readDocument(text: string): readonly Results[] | null {
  if (!DOCUMENT_START.test(text)) return null;
  const document = parseJsonObject(text);
  if (document) return [document].flat().map(readResultDocument);
  const [firstLine = ''] = text.trim().split('\n', 1);
  // An incomplete document of many lines is no list of documents, so the error names no line.
  if (!parseJsonObject(firstLine)) throw incompleteJsonError();
  return null;
}

/** Reads each line that is a document. In a text that begins with other lines, other JSON is also other text. */
export function readDocumentLines(text: string): readonly Results[] {
  const isList = DOCUMENT_START.test(text);
  return readLines(text, (line) => {
    if (!line.match(DOCUMENT_LINES)) return null;
    const document = parseJsonObject(line);
    if (!isList && !isResultDocument(document)) return null;
    if (!document) throw incompleteJsonError();
    return readResultDocument(document);
  });
}

function isResultDocument(document: object | null): boolean {
  if (!document) return false;
  return 'results' in document || ('schema' in document && /^gobonnie\//.test(String(document.schema)));
}

export function readResultDocument(value: unknown): Results {
  const document = typeof value === 'object' && value !== null ? value : {};
  if ('schema' in document) {
    if (/^gobonnie-(?:ab|comparison)\//.test(String(document.schema)))
      throw new ReadError('it is a comparison, not a result', 'print it with gobonnie show');
    checkSchema(document, 'gobonnie/1');
    return toResults(validateDocument(reportSchema, document));
  }
  if ('results' in document) return { runs: toGobonniegoRuns(document), report: null };
  if ('knee' in document && 'quota' in document)
    throw new ReadError(
      'it is the output of sweep --json',
      'use the report that sweep --out FILE.json writes',
    );
  throw new ReadError('it is neither a gobonnie report nor a gobonniego document', DOCUMENT_HINT);
}

function incompleteJsonError(): ReadError {
  return new ReadError('it is not a complete JSON document');
}

export const EVENT_START = /^\s*\{\s*"schema"\s*:\s*"gobonnie-event\//;
const KNOWN_TYPES: ReadonlySet<unknown> = new Set(
  eventRecordSchema.options.map(({ shape }) => shape.type.value),
);

/** Rebuilds the reports from their events, in order. A report whose events end early is incomplete. */
export function readEvents(text: string): readonly Results[] {
  const reports: Report[] = [];
  readLines(text, (line) => {
    const document = parseJsonObject(line);
    if (document) applyEvent(parseEventRecord(document), reports);
    // A process that was killed while writing leaves part of a line.
    else if (line.trim() !== '' && !text.endsWith(line)) throw incompleteJsonError();
    return null;
  });
  return reports.map((report) => {
    if (report.outcome.state === 'running') report.statistics = computeRunStatistics(report.runs);
    return toResults(report);
  });
}

/** Null for an event type that a later version added. */
function parseEventRecord(document: object): EventRecord | null {
  checkSchema(document, EVENT_SCHEMA);
  return KNOWN_TYPES.has((document as Partial<EventRecord>).type)
    ? validateDocument(eventRecordSchema, document)
    : null;
}

function applyEvent(record: EventRecord | null, reports: Report[]): void {
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
    case 'step-end':
      lastRun(reports).measurements.push(record.measurement);
      break;
    case 'run-end': {
      const { schema, time, type, run, startedAt, ...facts } = record;
      Object.assign(lastRun(reports), { startedAt, state: 'completed' });
      Object.assign(lastReport(reports), facts);
      break;
    }
    case 'warning':
      lastReport(reports).warnings.push(record.warning);
      break;
    case 'end': {
      const { schema, time, type, ...result } = record;
      Object.assign(lastReport(reports), result);
    }
  }
}

function lastReport(reports: readonly Report[]): Report {
  return requirePreceding(reports.at(-1), 'start');
}

function lastRun(reports: readonly Report[]): Run {
  return requirePreceding(lastReport(reports).runs.at(-1), 'run-start');
}

function requirePreceding<Part>(part: Part | undefined, type: string): Part {
  if (part === undefined) throw new ReadError(`no ${type} event precedes it`);
  return part;
}
