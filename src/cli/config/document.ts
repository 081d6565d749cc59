import path from 'node:path';
import { GobonnieError } from '../../errors.js';
import { escaped, shown } from '../../text/escape.js';
import { MIB } from '../../text/units.js';
import { readInputFile } from '../files/input-file.js';
import { PACKAGE_FILE, PACKAGE_KEY } from './catalogue.js';

/** Far more than a config file needs. */
const MOST_BYTES = MIB;

/** The options in a file, not judged yet. */
export interface Document {
  /** As messages call it. */
  readonly file: string;
  /** Its relative paths start here. */
  readonly directory: string;
  /** The keys that lead to them. */
  readonly at: readonly string[];
  readonly value: unknown;
}

/** The options in a file; null for a package.json without any. */
export async function readDocument(given: string): Promise<Document | null> {
  // Some editors put a byte order mark first.
  const text = (await readInputFile(given, MOST_BYTES)).replace(/^\uFEFF/, '');
  const document = { file: shown(given), directory: path.dirname(path.resolve(given)) };
  // A package.json without our key may be as broken as it likes.
  if (isPackage(given) && !text.includes(`"${PACKAGE_KEY}"`)) return null;
  const value = parsed(given, text);
  if (!isPackage(given)) return { ...document, at: [], value };
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, PACKAGE_KEY)) return null;
  return { ...document, at: [PACKAGE_KEY], value: (value as Readonly<Record<string, unknown>>)[PACKAGE_KEY] };
}

export function isPackage(file: string): boolean {
  return path.basename(file) === PACKAGE_FILE;
}

function parsed(given: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as SyntaxError;
    throw new GobonnieError(
      'option-invalid',
      `${shown(given)}${placeIn(text, message)} is not JSON: ${escaped(message.replace(/ in JSON at position .*$/s, ''))}`,
      'JSON has double quotes only, no comments, and no trailing commas',
    );
  }
}

/** As editors count. Node tells the position only of some mistakes, and not all versions tell the line. */
function placeIn(text: string, message: string): string {
  const [, position] = / at position (\d+)/.exec(message) ?? [];
  if (position === undefined) return '';
  const before = text.slice(0, Number(position)).split('\n');
  return `, line ${before.length}, column ${(before.at(-1) ?? '').length + 1},`;
}
