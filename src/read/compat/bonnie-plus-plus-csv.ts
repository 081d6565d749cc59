import {
  type BonnieCsvColumn,
  type BonnieTest,
  CSV_COLUMNS,
  DEFAULT_CHUNK_BYTES,
  FILE_TESTS,
  FILES_UNIT,
  IO_TESTS,
  TEST_COLUMNS,
} from '../../format/compat/bonnie-tests.js';
import type { FileSet, RunResult, StepValues } from '../../report/results.js';
import { KIB, MIB, NS_PER_MS, NS_PER_SECOND, NS_PER_US, parseSize } from '../../text/units.js';
import {
  damagedRowError,
  foreignRun,
  parseForeignPhase,
  parseRowInteger,
  parseRowNumber,
  unexpectedValueError,
} from './row-parsing.js';

/** The fields of a row that its format has. */
export type Fields = Partial<Record<BonnieCsvColumn, string | undefined>>;

/** Prose has fewer commas than this. */
const MIN_ROW_COMMAS = 20;
/** The start of a row of 1.03, even if truncated: a machine, a size with its unit, optionally the chunk. */
const START_1_03 = /^[^,]*,\d+[MG](?::\d+k?)?,/;

const LINK_KINDS: ReadonlyMap<string, FileSet['kind']> = new Map([
  ['link', 'hard-links'],
  ['symlink', 'symlinks'],
]);
const LATENCY_UNITS: Readonly<Record<string, number>> = { us: NS_PER_US, ms: NS_PER_MS, s: NS_PER_SECOND };

/** Reads bonnie++'s CSV lines in the formats 1.03, 1.93 to 1.97 and 1.98. Null if the line is not a row. */
export function readBonniePlusPlusRow(line: string): RunResult | null {
  // -x prints a header first; in the manual, # begins a comment.
  if (/^\s*(?:format_version,|name,file_size,|#)/.test(line)) return null;
  const fields = parseFields(line.trim());
  return fields && parseRun(fields);
}

/** Null if the line is not a row. */
function parseFields(line: string): Fields | null {
  const values = line.split(',').map((value) => value.trim());
  const [, format] = /^(\d+\.\d+[a-z]?),/.exec(line) ?? [];
  const isLong = values.length > MIN_ROW_COMMAS;
  if (format === '1.98') return nameFields('1.98', values, format);
  if (format && /^1\.9[3-7][a-z]?$/.test(format))
    return nameFields('1.97', insertMissingField(values), format);
  if (format && isLong) throw damagedRowError(`its format is ${format}, expected 1.03, 1.93 to 1.97 or 1.98`);
  return isLong || START_1_03.test(line) ? splitCombinedFields(nameFields('1.03', values)) : null;
}

function nameFields(version: keyof typeof CSV_COLUMNS, values: readonly string[], format: string = version) {
  const columns: readonly BonnieCsvColumn[] = CSV_COLUMNS[version];
  if (values.length !== columns.length)
    throw damagedRowError(
      `it has ${values.length} fields, expected ${columns.length} (format ${format}): ` +
        (values.length < columns.length ? 'the line is truncated' : 'lines run together'),
    );
  const fields: Fields = Object.fromEntries(columns.map((column, at) => [column, values[at]]));
  return fields;
}

/** If the block tests did not run, 1.96 prints one field too few. */
function insertMissingField(values: readonly string[]): readonly string[] {
  const columns = CSV_COLUMNS['1.97'];
  const sizeAt = columns.indexOf('file_size');
  const isShort = values.length === columns.length - 1;
  const isEmpty = values.slice(sizeAt, columns.indexOf('num_files') - 1).every((value) => value === '');
  return isShort && isEmpty ? values.toSpliced(sizeAt, 0, '') : values;
}

/** 1.03 prints size and chunk in one field, `1G:8k`, and the file settings in another field, `16:1000:10/5`. */
function splitCombinedFields(fields: Fields): Fields {
  const { file_size = '', num_files = '' } = fields;
  const [, size, io_chunk_size] = /^([^:]*)(?::([^:]+))?$/.exec(file_size) ?? [];
  if (size === undefined) throw unexpectedValueError('the size', file_size, 'a size such as 1G:8k');
  return { ...fields, ...splitFileSettings(num_files), io_chunk_size, concurrency: '1', file_size: size };
}

export function splitFileSettings(settings: string): Fields {
  const [, num_files = settings, max_size, min_size, num_dirs] =
    /^([\d.]+)(?::(\w+))?(?::(\d+))?(?:\/(\d+))?$/.exec(settings) ?? [];
  return { num_files, max_size, min_size, num_dirs };
}

export function parseRun(fields: Fields): RunResult {
  const { format_version, name = '', concurrency = '' } = fields;
  const sizeBytes = parseBytes(fields.file_size, 'the size', MIB);
  return foreignRun({
    program: { name: 'bonnie++', version: fields.bonnie_version || null },
    label: name,
    sizeBytes,
    blockBytes: sizeBytes === null ? null : parseChunk(fields),
    threads: parseRowInteger(concurrency, 'the concurrency'),
    seed: fields.seed || null,
    seeks: parseOptionalInteger(fields.num_seeks, 'the number of seeks'),
    seekThreads: parseOptionalInteger(fields.seek_procs, 'the number of seekers'),
    // Since 1.90, bonnie++ syncs each file before closing it.
    synced: format_version !== undefined,
    files: fields.num_files ? parseFileSet(fields.num_files, fields) : null,
    steps: [...IO_TESTS, ...FILE_TESTS]
      .map((test) => parsePhase(test, fields))
      .filter((phase) => phase !== null),
  });
}

/** Null if the test did not run. */
function parsePhase(test: BonnieTest, fields: Fields): StepValues | null {
  const column = TEST_COLUMNS[test];
  const rate = fields[column] ?? '';
  const cpu = fields[`${column}_cpu`] ?? '';
  const latency = fields[`${column}_latency`];
  const longestNs = latency ? parseLatencyNs(latency) : null;
  return rate === '' && cpu === '' ? null : parseForeignPhase(test, [rate, cpu], KIB, longestNs);
}

function parseFileSet(count: string, fields: Fields): FileSet {
  const { max_size: largest = '', num_dirs, file_chunk_size } = fields;
  const kind = LINK_KINDS.get(largest) ?? 'files';
  // 1.9x and 2.00 print the directories in the chunk's field, and no chunk.
  return {
    count: Math.round(parseRowNumber(count, 'the number of files', FILES_UNIT)),
    kind,
    minBytes: parseBytes(fields.min_size, "the files' smallest size") ?? 0,
    maxBytes: kind === 'files' ? (parseBytes(largest, "the files' largest size") ?? 0) : 0,
    directories: parseOptionalInteger(num_dirs || file_chunk_size, 'the number of directories') ?? 1,
    blockBytes: num_dirs ? parseBytes(file_chunk_size, "the files' chunk") : null,
  };
}

/** 1.98 never prints the default, so a missing chunk is unknown. */
function parseChunk({ format_version, io_chunk_size }: Fields): number | null {
  return parseBytes(io_chunk_size, 'the chunk') ?? (format_version === '1.98' ? null : DEFAULT_CHUNK_BYTES);
}

/** `64M`, `1G`, `16k`; a number without a suffix counts in `bareUnit`. Null if it is missing. */
function parseBytes(text: string | undefined, name: string, bareUnit = 1): number | null {
  if (!text) return null;
  const bytes = parseSize(text, bareUnit);
  if (bytes !== null && Number.isSafeInteger(bytes)) return bytes;
  throw unexpectedValueError(name, text, 'a size such as 64M');
}

function parseOptionalInteger(text: string | undefined, name: string): number | null {
  return text ? parseRowInteger(text, name) : null;
}

function parseLatencyNs(text: string): number {
  const [, number = '', unit = ''] = /^(\d+)(us|ms|s)$/.exec(text) ?? [];
  const unitNs = LATENCY_UNITS[unit];
  if (unitNs === undefined) throw unexpectedValueError('a latency', text, 'a time such as 864us');
  return parseRowInteger(number, 'a latency') * unitNs;
}
