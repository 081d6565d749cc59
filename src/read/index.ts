import { GobonnieError } from '../errors.js';
import type { Results } from '../report/results.js';
import { display } from '../text/escape.js';
import { readRows } from './ancestors/rows.js';
import { readDocuments, readResultDocument } from './documents.js';
import { isEvents, readEvents } from './events.js';
import { Misreading } from './guard.js';

const OWN_CSV = 'label,directory,program,';
const GIVE_REPORT = 'give the .json or .ndjson file of --out';

/** The results in a text, whose content says which kind it is. Throws if any of it cannot be read. */
export function readResults(text: string, fileName: string): readonly Results[] {
  // Some editors write a byte order mark.
  const content = text.replace(/^\uFEFF/, '');
  return named(fileName, () => resultsIn(content));
}

/** The same for a JSON document that is parsed already. */
export function readObject(document: object, name: string): Results {
  return named(name, () => readResultDocument(document));
}

/** Adds the name to what `read` throws. */
function named<Read>(name: string, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Misreading)) throw error;
    const place = error.line === null ? '' : `, line ${error.line}`;
    throw new GobonnieError(
      'input-unreadable',
      `${display(name)}${place} cannot be read: ${error.message}`,
      error.hint,
      { cause: error },
    );
  }
}

function resultsIn(text: string): readonly Results[] {
  if (text.trim() === '') throw new Misreading('it is empty');
  if (text.includes('\0')) throw new Misreading('it is a binary file');
  if (text.startsWith(OWN_CSV)) throw new Misreading('gobonnie does not read its own CSV', GIVE_REPORT);
  if (isEvents(text)) return readEvents(text);
  return /^\s*(\{|\[\s*\{)/.test(text) ? readDocuments(text) : [readRows(text)];
}
