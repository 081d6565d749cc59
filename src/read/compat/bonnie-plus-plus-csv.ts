import { type BonnieTest, FILE_TESTS, IO_TESTS, TEST_COLUMNS } from '../../format/compat/bonnie-tests.js';
import type { FileSet, RunResult, StepValues } from '../../report/results.js';
import { KIB, MIB, NS_PER_MS, NS_PER_SECOND, NS_PER_US, parseSize } from '../../text/units.js';
import { parseFields, type RowFields } from './bonnie-plus-plus-fields.js';
import {
  foreignRun,
  parseForeignPhase,
  parseRowInteger,
  parseRowNumber,
  type RowReader,
  unexpectedValueError,
} from './row-parsing.js';

/** The chunk size of 1.03 to 1.97 unless they print another. 1.98 never prints it, so it is unknown. */
const DEFAULT_CHUNK_BYTES = 8 * KIB;
/** The unit of the number of files. */
const FILES_UNIT = 1024;

const LATENCY_UNITS: Readonly<Record<string, number>> = { us: NS_PER_US, ms: NS_PER_MS, s: NS_PER_SECOND };

const FILE_SET_KINDS: ReadonlyMap<string, FileSet['kind']> = new Map([
  ['link', 'hard-links'],
  ['symlink', 'symlinks'],
]);

/** Reads bonnie++'s CSV lines in the formats 1.03, 1.93 to 1.97 and 1.98. */
export const readBonniePlusPlusRow: RowReader = (line) => {
  // -x prints a header first; in the manual, # begins a comment.
  if (/^\s*(?:format_version,|name,file_size,|#)/.test(line)) return null;
  const fields = parseFields(line);
  return fields && parseRun(fields);
};

function parseRun(fields: RowFields): RunResult {
  const format = fields('format_version');
  const sizeBytes = parseOptional(fields('file_size'), (text) => parseBytes(text, 'the size', MIB));
  return foreignRun({
    program: { name: 'bonnie++', version: fields('bonnie_version') || null },
    label: fields('name'),
    sizeBytes,
    chunkBytes: sizeBytes === null ? null : parseChunk(fields('io_chunk_size'), format),
    threads: parseRowInteger(fields('concurrency'), 'the concurrency'),
    seed: fields('seed') || null,
    seeks: parseOptional(fields('num_seeks'), (text) => parseRowInteger(text, 'the number of seeks')),
    seekThreads: parseOptional(fields('seek_procs'), (text) =>
      parseRowInteger(text, 'the number of seekers'),
    ),
    // Since 1.90, bonnie++ syncs each file before closing it.
    synced: format !== '',
    files: parseOptional(fields('num_files'), (text) => parseFileSet(text, fields)),
    steps: [...IO_TESTS, ...FILE_TESTS]
      .map((test) => parsePhase(test, fields))
      .filter((phase) => phase !== null),
  });
}

/** Null if the test did not run. */
function parsePhase(test: BonnieTest, fields: RowFields): StepValues | null {
  const column = TEST_COLUMNS[test];
  const rate = fields(column);
  const cpu = fields(`${column}_cpu`);
  const longestNs = parseOptional(fields(`${column}_latency`), parseLatencyNs);
  if (rate === '' && cpu === '') return null;
  const countsBytes = IO_TESTS.some((one) => one === test) && test !== 'seeks';
  return parseForeignPhase(test, [rate, cpu], countsBytes ? KIB : 1, longestNs);
}

function parseFileSet(count: string, fields: RowFields): FileSet {
  const largest = fields('max_size');
  const kind = FILE_SET_KINDS.get(largest) ?? 'files';
  // 1.9x and 2.00 print the directories in the chunk's field, and no chunk.
  const hasDirectories = fields('num_dirs') !== '';
  const directories = fields(hasDirectories ? 'num_dirs' : 'file_chunk_size');
  const chunk = hasDirectories ? fields('file_chunk_size') : '';
  const bytes = (text: string, name: string) =>
    parseOptional(text, (value) => parseBytes(value, name, 1)) ?? 0;
  return {
    count: Math.round(parseRowNumber(count, 'the number of files', FILES_UNIT)),
    kind,
    minBytes: bytes(fields('min_size'), "the files' smallest size"),
    maxBytes: kind === 'files' ? bytes(largest, "the files' largest size") : 0,
    directories:
      parseOptional(directories, (text) => parseRowInteger(text, 'the number of directories')) ?? 1,
    chunkBytes: parseOptional(chunk, (text) => parseBytes(text, "the files' chunk", 1)),
  };
}

function parseChunk(chunk: string, format: string): number | null {
  if (chunk !== '') return parseBytes(chunk, 'the chunk', 1);
  return format === '1.98' ? null : DEFAULT_CHUNK_BYTES;
}

/** `64M`, `1G`, `16k`; a number without a suffix counts in `defaultUnit`. */
function parseBytes(text: string, name: string, defaultUnit: number): number {
  const bytes = parseSize(text, defaultUnit);
  if (bytes !== null && Number.isSafeInteger(bytes)) return bytes;
  throw unexpectedValueError(name, text, 'a size such as 64M');
}

function parseLatencyNs(text: string): number {
  const [, number = '', unit = ''] = /^(\d+)(us|ms|s)$/.exec(text) ?? [];
  const unitNs = LATENCY_UNITS[unit];
  if (unitNs === undefined) throw unexpectedValueError('a latency', text, 'a time such as 864us');
  return parseRowInteger(number, 'a latency') * unitNs;
}

function parseOptional<Value>(text: string, read: (text: string) => Value): Value | null {
  return text === '' ? null : read(text);
}
