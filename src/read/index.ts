import { GobonnieError } from '../errors.js';
import type { Results } from '../report/results.js';
import { shown } from '../text/escape.js';
import { readRows } from './ancestors/rows.js';
import { readDocuments, readResultDocument } from './documents.js';
import { isEvents, readEvents } from './events.js';
import { Misreading } from './guard.js';

const OWN_CSV = 'label,directory,program,';
const GIVE_REPORT = 'give the .json or .ndjson file of --out';

interface Reader {
  readonly claims: (text: string) => boolean;
  readonly read: (text: string) => readonly Results[];
}

/** The first one that claims a text reads it. */
const readers: readonly Reader[] = [
  { claims: (text) => text.trim() === '', read: refused('it is empty') },
  { claims: (text) => text.includes('\0'), read: refused('it is a binary file') },
  {
    claims: (text) => text.startsWith(OWN_CSV),
    read: refused('gobonnie does not read its own CSV', GIVE_REPORT),
  },
  { claims: isEvents, read: readEvents },
  { claims: (text) => /^\s*(\{|\[\s*\{)/.test(text), read: readDocuments },
  { claims: () => true, read: (text) => [readRows(text)] },
];

/** The results in a text, whose kind is told from its content. Throws if any of it cannot be read. */
export function readResults(text: string, fileName: string): readonly Results[] {
  // Some editors write a byte order mark.
  const content = text.replace(/^\uFEFF/, '');
  return named(fileName, () => readers.find(({ claims }) => claims(content))?.read(content) ?? []);
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
