import { GobonnieError } from '../errors.js';
import type { Results } from '../report/results.js';
import { display } from '../text/escape.js';
import { readRows } from './compat/read-rows.js';
import { readDocuments, readResultDocument } from './documents.js';
import { isEventStream, readEvents } from './events.js';
import { ReadError } from './guard.js';

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

/** Adds the name to a ReadError that `read` throws. */
function withFileName<Result>(name: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    const location = error.line === null ? '' : `, line ${error.line}`;
    throw new GobonnieError(
      'input-unreadable',
      `${display(name)}${location} cannot be read: ${error.message}`,
      error.hint,
      { cause: error },
    );
  }
}

function parseResults(text: string): readonly Results[] {
  if (text.trim() === '') throw new ReadError('it is empty');
  if (text.includes('\0')) throw new ReadError('it is a binary file');
  if (text.startsWith(OWN_CSV_HEADER)) throw new ReadError('gobonnie does not read its own CSV', REPORT_HINT);
  if (isEventStream(text)) return readEvents(text);
  return /^\s*(\{|\[\s*\{)/.test(text) ? readDocuments(text) : [readRows(text)];
}
