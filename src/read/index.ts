import type { Results } from '../report/results.js';
import { readRows } from './compat/read-rows.js';
import { readDocuments, readResultDocument } from './documents.js';
import { isEventStream, readEvents } from './events.js';
import { ReadError, withFileName } from './guard.js';

const OWN_CSV_HEADER = 'label,directory,program,';
const REPORT_HINT = 'use the .json or .ndjson file of --out';

/** Returns the results in a text, whose format it detects from the content. Throws if any part cannot be read. */
export function readResults(text: string, fileName: string): readonly Results[] {
  // Some editors write a byte order mark.
  const content = text.replace(/^\uFEFF/, '');
  return withFileName(fileName, () => parseResults(content));
}

/** Returns the results in a parsed JSON document. */
export function readParsedJson(document: object, name: string): Results {
  return withFileName(name, () => readResultDocument(document));
}

function parseResults(text: string): readonly Results[] {
  if (text.trim() === '') throw new ReadError('it is empty');
  if (text.includes('\0')) throw new ReadError('it is a binary file');
  if (text.startsWith(OWN_CSV_HEADER)) throw new ReadError('gobonnie does not read its own CSV', REPORT_HINT);
  if (isEventStream(text)) return readEvents(text);
  return /^\s*(\{|\[\s*\{)/.test(text) ? readDocuments(text) : [readRows(text)];
}
