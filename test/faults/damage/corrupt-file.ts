import type { SeededRandom } from '../../support/data/seeded-random.js';
import { hasCompleteLastRow, hasCompleteRows } from './complete-rows.js';
import { DOCUMENT_SCHEMA, matchesSchema, REPORT_SCHEMA } from './published-schemas.js';
import type { SampleFile } from './sample-files.js';

/** A damaged file of results. */
export interface CorruptFile {
  readonly name: string;
  readonly content: string | Buffer;
  /** gobonnie rejects the file in one line with exit code 1, or shows it if it is still whole. */
  readonly outcome: 'rejected' | 'shown';
}

/** Returns true if a text is whole: it matches the published schema, or has every column of a row. */
export function isIntact(kind: SampleFile['kind'], text: string): boolean {
  if (text.includes('\0')) return false;
  switch (kind) {
    case 'row':
      return hasCompleteRows(text);
    case 'table':
      return hasCompleteLastRow(text);
    default: {
      const schema = kind === 'report' ? REPORT_SCHEMA : DOCUMENT_SCHEMA;
      const document = tryParse(text);
      return /^\s*\{/.test(text) && matchesSchema(schema, document) && hasResults(kind, document);
    }
  }
}

/** Creates a file whose name has the damage, its offset and the resulting text: enough to reproduce it. */
export function createCorruptFile(
  { name, kind }: SampleFile,
  damage: string,
  offset: number,
  content: Buffer,
): CorruptFile {
  const text = content.toString();
  const near = text.slice(Math.max(0, offset - 40), offset + 40);
  return {
    name: `${name}, ${damage} at ${offset}: …${JSON.stringify(near)}…`,
    content,
    outcome: isIntact(kind, text) ? 'shown' : 'rejected',
  };
}

const TRUNCATIONS = 24;
const BIT_FLIPS = 30;
const OTHER_CORRUPTIONS = 6;
/** Maximum number of bytes to remove or double at once. */
const MAX_SPAN = 12;

/** Truncates the file, flips bits, inserts NULs and invalid UTF-8, removes and doubles bytes. */
export function corruptBytes(random: SeededRandom, sampleFile: SampleFile): readonly CorruptFile[] {
  const whole = Buffer.from(sampleFile.text);
  const end = whole.length - 1;
  // gobonnie ignores the lines above a table's row.
  const start = sampleFile.kind === 'table' ? whole.lastIndexOf('\n', end - 1) + 1 : 0;
  const replaceAt = (offset: number, skipped: number, bytes: readonly number[]) =>
    Buffer.concat([whole.subarray(0, offset), Uint8Array.from(bytes), whole.subarray(offset + skipped)]);
  const damageAtRandom = (damage: string, count: number, make: (offset: number) => Buffer, from = 0) =>
    Array.from({ length: count }, () => {
      const offset = from + random.upTo(end - from);
      return createCorruptFile(sampleFile, damage, offset, make(offset));
    });
  const pickSpan = (offset: number) => Math.min(1 + random.upTo(MAX_SPAN - 1), end - offset);
  return [
    ...Array.from({ length: TRUNCATIONS }, (_, index) => {
      const offset = Math.floor((index * end) / TRUNCATIONS);
      return createCorruptFile(sampleFile, 'truncated', offset, whole.subarray(0, offset));
    }),
    ...damageAtRandom('a bit flipped', BIT_FLIPS, (offset) =>
      replaceAt(offset, 1, [(whole[offset] ?? 0) ^ (1 << random.upTo(7))]),
    ),
    ...damageAtRandom('a NUL', OTHER_CORRUPTIONS, (offset) => replaceAt(offset, 0, [0])),
    ...damageAtRandom('invalid UTF-8', OTHER_CORRUPTIONS, (offset) =>
      replaceAt(offset, 1, [random.oneOf([0xff, 0xc0, 0x80, 0xed, 0xf8])]),
    ),
    ...damageAtRandom(
      'bytes lost',
      OTHER_CORRUPTIONS,
      (offset) => replaceAt(offset, pickSpan(offset), []),
      start,
    ),
    ...damageAtRandom(
      'bytes doubled',
      OTHER_CORRUPTIONS,
      (offset) => replaceAt(offset, 0, [...whole.subarray(offset, offset + pickSpan(offset))]),
      start,
    ),
  ];
}

/** Returns false for runs without measurements, and for a document with a schema, which only a report has. */
function hasResults(kind: 'report' | 'document', document: unknown): boolean {
  const { schema, runs, results } = document as {
    readonly schema?: unknown;
    readonly runs: readonly { readonly measurements: readonly unknown[] }[];
    readonly results: readonly unknown[];
  };
  return kind === 'report'
    ? runs.some(({ measurements }) => measurements.length > 0)
    : schema === undefined && results.length > 0;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
