import path from 'node:path';
import { GobonnieError } from '../../errors.js';
import { shown } from '../../text/escape.js';
import { MIB } from '../../text/units.js';
import { readInputFile } from '../files/input-file.js';
import { PACKAGE_FILE, PACKAGE_KEY } from './catalogue.js';
import { jsonFault } from './json-fault.js';

/** Nobody writes more, and whatever a file is it costs no more than that. */
const MOST_BYTES = MIB;

/** What a file says of options, not judged yet. */
export interface Document {
  /** As messages call it. */
  readonly file: string;
  /** From where its relative paths start. */
  readonly directory: string;
  /** Where in the file it stands. */
  readonly at: readonly string[];
  readonly value: unknown;
}

/** What stands in a file; null for a package.json that says nothing to us. */
export async function readDocument(given: string): Promise<Document | null> {
  // What some editors put first.
  const text = (await readInputFile(given, MOST_BYTES)).replace(/^\uFEFF/, '');
  const whole = parsed(text);
  const document = { file: shown(given), directory: path.dirname(path.resolve(given)) };
  if (!isPackage(given)) {
    if (whole === undefined) throw broken(given, text);
    return { ...document, at: [], value: whole };
  }
  // One that does not speak of us may be as it likes.
  if (whole === undefined && text.includes(`"${PACKAGE_KEY}"`)) throw broken(given, text);
  if (typeof whole !== 'object' || whole === null || !Object.hasOwn(whole, PACKAGE_KEY)) return null;
  const { [PACKAGE_KEY]: value } = whole as Readonly<Record<string, unknown>>;
  return { ...document, at: [PACKAGE_KEY], value };
}

export function isPackage(file: string): boolean {
  return path.basename(file) === PACKAGE_FILE;
}

/** Undefined for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function broken(given: string, text: string): GobonnieError {
  const { line, column, words } = jsonFault(text);
  return new GobonnieError(
    'option-invalid',
    `${shown(given)}, line ${line}, column ${column}: ${words}`,
    'JSON has double quotes alone, no comments, and no comma behind the last of several',
  );
}
