import { type Results, toResults } from '../report/results.js';
import { reportSchema } from '../report/schema/report.js';
import { toGobonniegoRuns } from './compat/gobonniego-json.js';
import { checkSchema, ReadError, readLines, validateDocument } from './guard.js';

const DOCUMENT_HINT = 'use a file written by --out or the output of --json';

/** Reads a document, an array of documents, or a document per line, as `>>` collects them. */
export function readDocuments(text: string): readonly Results[] {
  const whole = parseJsonObject(text);
  if (Array.isArray(whole)) return whole.map(readResultDocument);
  if (whole) return [readResultDocument(whole)];
  const [firstLine = ''] = text.trim().split('\n', 1);
  // An incomplete document of many lines is no list of documents, so the error names no line.
  if (!parseJsonObject(firstLine)) throw incompleteJsonError();
  return readLines(text, (line) => {
    if (line.trim() === '') return null;
    const document = parseJsonObject(line);
    if (!document) throw incompleteJsonError();
    return readResultDocument(document);
  });
}

export function readResultDocument(value: unknown): Results {
  const document = typeof value === 'object' && value !== null ? value : {};
  if ('schema' in document) {
    checkSchema(document, 'gobonnie/1');
    return toResults(validateDocument(reportSchema, document));
  }
  if ('results' in document) return { runs: toGobonniegoRuns(document), report: null };
  throw new ReadError('it is neither a gobonnie report nor a gobonniego document', DOCUMENT_HINT);
}

/** Null if the text is not a JSON object or array. */
export function parseJsonObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

export function incompleteJsonError(): ReadError {
  return new ReadError('it is not a complete JSON document');
}
