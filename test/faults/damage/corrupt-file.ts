import type { SeededRandom } from '../../support/data/seeded-random.js';
import { hasCompleteLastRow, hasCompleteRows } from './complete-rows.js';
import { DOCUMENT_SCHEMA, matchesSchema, REPORT_SCHEMA } from './published-schemas.js';
import type { SampleFile } from './sample-files.js';

/** A damaged file of results. */
export interface CorruptFile {
  readonly name: string;
  readonly content: string | Buffer;
  /** Refused in one line with exit code 1, or shown if it is still whole. */
  readonly verdict: 'refused' | 'shown';
}

/** Whether a text is whole: by the published schema, or by the columns of the family's rows. */
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

/** The damage, its offset and the text there now: enough to repeat it. */
export function createCorruptFile(
  { name, kind }: SampleFile,
  what: string,
  at: number,
  content: Buffer,
): CorruptFile {
  const text = content.toString();
  const near = text.slice(Math.max(0, at - 40), at + 40);
  return {
    name: `${name}, ${what} at ${at}: …${JSON.stringify(near)}…`,
    content,
    verdict: isIntact(kind, text) ? 'shown' : 'refused',
  };
}

const TRUNCATIONS = 24;
const BIT_FLIPS = 30;
const OTHER_CORRUPTIONS = 6;
/** The most bytes that are removed or doubled at once. */
const MAX_SPAN = 12;

/** Cuts the file, flips bits, inserts NULs and invalid UTF-8, removes and doubles bytes. */
export function corruptBytes(random: SeededRandom, sampleFile: SampleFile): readonly CorruptFile[] {
  const whole = Buffer.from(sampleFile.text);
  const end = whole.length - 1;
  // The lines above a row of a table may be anything.
  const start = sampleFile.kind === 'table' ? whole.lastIndexOf('\n', end - 1) + 1 : 0;
  const around = (at: number, skipped: number, bytes: readonly number[]) =>
    Buffer.concat([whole.subarray(0, at), Uint8Array.from(bytes), whole.subarray(at + skipped)]);
  const damage = (what: string, count: number, make: (at: number) => Buffer, from = 0) =>
    Array.from({ length: count }, () => {
      const at = from + random.upTo(end - from);
      return createCorruptFile(sampleFile, what, at, make(at));
    });
  const spanAt = (at: number) => Math.min(1 + random.upTo(MAX_SPAN - 1), end - at);
  return [
    ...Array.from({ length: TRUNCATIONS }, (_, index) => {
      const at = Math.floor((index * end) / TRUNCATIONS);
      return createCorruptFile(sampleFile, 'cut', at, whole.subarray(0, at));
    }),
    ...damage('a bit flipped', BIT_FLIPS, (at) => around(at, 1, [(whole[at] ?? 0) ^ (1 << random.upTo(7))])),
    ...damage('a NUL', OTHER_CORRUPTIONS, (at) => around(at, 0, [0])),
    ...damage('no UTF-8', OTHER_CORRUPTIONS, (at) =>
      around(at, 1, [random.oneOf([0xff, 0xc0, 0x80, 0xed, 0xf8])]),
    ),
    ...damage('bytes lost', OTHER_CORRUPTIONS, (at) => around(at, spanAt(at), []), start),
    ...damage(
      'bytes doubled',
      OTHER_CORRUPTIONS,
      (at) => around(at, 0, [...whole.subarray(at, at + spanAt(at))]),
      start,
    ),
  ];
}

/** A run without measurements has nothing to show, and a document with a schema claims to be a report. */
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
