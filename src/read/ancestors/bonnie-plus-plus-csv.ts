import { COLUMN_OF_TEST, type FamilyTest } from '../../report/bonnie-plus-plus-columns.js';
import { FILE_TESTS, IO_TESTS } from '../../report/family.js';
import type { FileSet, PhaseFigures, RunResult } from '../../report/results.js';
import { parseSize } from '../../text/size.js';
import { KIB, MIB, NS_PER_MS, NS_PER_SECOND, NS_PER_US } from '../../text/units.js';
import { type Fields, fieldsOf } from './bonnie-plus-plus-fields.js';
import { foreignRun, numberIn, phaseInRow, type RowReader, unexpected, wholeNumberIn } from './row.js';

/** What 1.03 to 1.97 mean if they give no chunk size. 1.98 gives none at all, so there it is unknown. */
const DEFAULT_CHUNK_BYTES = 8 * KIB;
/** The number of files is given in units of this many. */
const FILES_UNIT = 1024;

const LATENCY_UNITS: Readonly<Record<string, number>> = { us: NS_PER_US, ms: NS_PER_MS, s: NS_PER_SECOND };

const KINDS: ReadonlyMap<string, FileSet['kind']> = new Map([
  ['link', 'hard-links'],
  ['symlink', 'symlinks'],
]);

/** Reads bonnie++'s CSV lines in the formats 1.03, 1.93 to 1.97 and 1.98. */
export const bonniePlusPlusRow: RowReader = (line) => {
  // -x prints a header first; by the manual # begins a comment.
  if (/^\s*(?:format_version,|name,file_size,|#)/.test(line)) return null;
  const fields = fieldsOf(line);
  return fields && runOf(fields);
};

function runOf(fields: Fields): RunResult {
  const format = fields('format_version');
  const sizeBytes = optional(fields('file_size'), (text) => bytesIn(text, 'the size', MIB));
  return foreignRun({
    program: { name: 'bonnie++', version: fields('bonnie_version') || null },
    label: fields('name'),
    sizeBytes,
    chunkBytes: sizeBytes === null ? null : chunkOf(fields('io_chunk_size'), format),
    threads: wholeNumberIn(fields('concurrency'), 'the concurrency'),
    seed: fields('seed') || null,
    seeks: optional(fields('num_seeks'), (text) => wholeNumberIn(text, 'the number of seeks')),
    seekThreads: optional(fields('seek_procs'), (text) => wholeNumberIn(text, 'the number of seekers')),
    // From 1.90 on it syncs each file before closing it.
    synced: format !== '',
    files: optional(fields('num_files'), (text) => fileSetOf(text, fields)),
    phases: [...IO_TESTS, ...FILE_TESTS].flatMap((test) => phaseOf(test, fields) ?? []),
  });
}

/** Null if the test did not run. */
function phaseOf(test: FamilyTest, fields: Fields): PhaseFigures | null {
  const column = COLUMN_OF_TEST[test];
  const [rate, cpu] = [fields(column), fields(`${column}_cpu`)];
  const longestNs = optional(fields(`${column}_latency`), nsIn);
  if (rate === '' && cpu === '') return null;
  const countsBytes = IO_TESTS.some((one) => one === test) && test !== 'seeks';
  return phaseInRow(test, [rate, cpu], countsBytes ? KIB : 1, longestNs);
}

function fileSetOf(count: string, fields: Fields): FileSet {
  const largest = fields('max_size');
  const kind = KINDS.get(largest) ?? 'files';
  // 1.9x and 2.00 write the directories into the chunk's field, and leave out the chunk.
  const [directories, chunk] =
    fields('num_dirs') === ''
      ? [fields('file_chunk_size'), '']
      : [fields('num_dirs'), fields('file_chunk_size')];
  const bytes = (text: string, name: string) => optional(text, (given) => bytesIn(given, name, 1)) ?? 0;
  return {
    count: Math.round(numberIn(count, 'the number of files', FILES_UNIT)),
    kind,
    minBytes: bytes(fields('min_size'), "the files' smallest size"),
    maxBytes: kind === 'files' ? bytes(largest, "the files' largest size") : 0,
    directories: optional(directories, (text) => wholeNumberIn(text, 'the number of directories')) ?? 1,
    chunkBytes: optional(chunk, (text) => bytesIn(text, "the files' chunk", 1)),
  };
}

function chunkOf(chunk: string, format: string): number | null {
  if (chunk !== '') return bytesIn(chunk, 'the chunk', 1);
  return format === '1.98' ? null : DEFAULT_CHUNK_BYTES;
}

/** `64M`, `1G`, `16k`; a number without a suffix counts in `defaultUnit`. */
function bytesIn(text: string, name: string, defaultUnit: number): number {
  const bytes = parseSize(text, defaultUnit);
  if (bytes !== null && Number.isSafeInteger(bytes)) return bytes;
  throw unexpected(name, text, 'a size such as 64M');
}

function nsIn(text: string): number {
  const [, number = '', unit = ''] = /^(\d+)(us|ms|s)$/.exec(text) ?? [];
  const unitNs = LATENCY_UNITS[unit];
  if (unitNs === undefined) throw unexpected('a latency', text, 'one such as 864us');
  return wholeNumberIn(number, 'a latency') * unitNs;
}

function optional<Value>(text: string, read: (text: string) => Value): Value | null {
  return text === '' ? null : read(text);
}
