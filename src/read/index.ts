import { GobonnieError } from '../errors.js';
import type { Results } from '../report/results.js';
import { shown } from '../text/escape.js';
import { readRows } from './ancestors/rows.js';
import { readDocuments, readResultDocument } from './documents.js';
import { isEvents, readEvents } from './events.js';
import { Misreading } from './guard.js';

const OWN_CSV = 'label,directory,program,';
const GIVE_REPORT = 'give what --out wrote to a .json or .ndjson file';

interface Reader {
  readonly claims: (text: string) => boolean;
  readonly read: (text: string) => readonly Results[];
}

/** What the content may be. The first one that claims it reads it. */
const readers: readonly Reader[] = [
  { claims: (text) => text.trim() === '', read: refused('it is empty') },
  { claims: (text) => text.includes('\0'), read: refused('it is binary') },
  {
    claims: (text) => text.startsWith(OWN_CSV),
    read: refused('CSV of gobonnie is for others to read', GIVE_REPORT),
  },
  { claims: isEvents, read: readEvents },
  { claims: (text) => /^\s*(\{|\[\s*\{)/.test(text), read: readDocuments },
  { claims: () => true, read: (text) => [readRows(text)] },
];

/** What a text holds of results, found out by its content. Throws where any of it cannot be read. */
export function readResults(text: string, fileName: string): readonly Results[] {
  // What some editors put first.
  const content = text.replace(/^\uFEFF/, '');
  return named(fileName, () => readers.find(({ claims }) => claims(content))?.read(content) ?? []);
}

/** The same of a JSON document that a program has parsed already. */
export function readObject(document: object, name: string): Results {
  return named(name, () => readResultDocument(document));
}

/** What cannot be read is told with its name. */
function named<Read>(name: string, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Misreading)) throw error;
    const place = error.line === null ? '' : `, line ${error.line}`;
    throw new GobonnieError(
      'unreadable',
      `${shown(name)}${place} cannot be read: ${error.message}`,
      error.hint,
      { cause: error },
    );
  }
}

function refused(reason: string, hint?: string): Reader['read'] {
  return () => {
    throw new Misreading(reason, hint);
  };
}
