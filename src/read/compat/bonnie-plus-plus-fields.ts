import {
  type BonnieCsvColumn,
  COLUMNS_1_98,
  FILE_TESTS,
  IO_TESTS,
  listColumns,
} from '../../format/compat/bonnie-tests.js';
import { damagedRowError, unexpectedValueError } from './row-parsing.js';

/** Returns the field of a row by name. Empty if the format lacks the column. */
export type RowFields = (name: BonnieCsvColumn) => string;

/** Versions 1.93 to 1.97 report nothing about the seeks. */
const COLUMNS_1_93 = COLUMNS_1_98.filter((column) => column !== 'num_seeks' && column !== 'seek_procs');

/** Rows of 1.03 do not contain their format. */
const COLUMNS_1_03: readonly BonnieCsvColumn[] = [
  'name',
  'file_size',
  ...listColumns(IO_TESTS),
  'num_files',
  ...listColumns(FILE_TESTS),
];

/** Prose has fewer commas than this. */
const MIN_ROW_COMMAS = 20;
/** The start of a row of 1.03, even if truncated: a machine, a size with its unit, optionally the chunk. */
const START_1_03 = /^[^,]*,\d+[MG](?::\d+k?)?,/;
const FORMAT_PREFIX = /^(\d+\.\d+[a-z]?),/;

/** Null if the line is not a row. */
export function parseFields(line: string): RowFields | null {
  const values = line.trim().split(',');
  const [, format] = FORMAT_PREFIX.exec(line.trim()) ?? [];
  const isLong = values.length > MIN_ROW_COMMAS;
  if (format === '1.98') return nameFields(COLUMNS_1_98, values, format);
  if (format && /^1\.9[3-7][a-z]?$/.test(format))
    return nameFields(COLUMNS_1_93, insertMissingField(values), format);
  if (format && isLong) throw damagedRowError(`its format is ${format}, expected 1.03, 1.93 to 1.97 or 1.98`);
  return isLong || START_1_03.test(line.trim())
    ? splitCombinedFields(nameFields(COLUMNS_1_03, values, '1.03'))
    : null;
}

function nameFields(
  columns: readonly BonnieCsvColumn[],
  values: readonly string[],
  format: string,
): RowFields {
  if (values.length !== columns.length) {
    throw damagedRowError(
      `it has ${values.length} fields, expected ${columns.length} (format ${format}): ` +
        (values.length < columns.length ? 'the line is truncated' : 'lines run together'),
    );
  }
  const valuesByName = new Map(columns.map((column, at) => [column, (values[at] ?? '').trim()]));
  return (column) => valuesByName.get(column) ?? '';
}

/** If the block tests did not run, 1.96 prints one field too few. */
function insertMissingField(values: readonly string[]): readonly string[] {
  const sizeAt = COLUMNS_1_93.indexOf('file_size');
  const isShort = values.length === COLUMNS_1_93.length - 1;
  const isEmpty = values.slice(sizeAt, COLUMNS_1_93.indexOf('num_files') - 1).every((value) => value === '');
  return isShort && isEmpty ? values.toSpliced(sizeAt, 0, '') : values;
}

/** 1.03 prints size and chunk in one field, `1G:8k`, and the file settings in another field, `16:1000:10/5`. */
function splitCombinedFields(fields: RowFields): RowFields {
  const [, size, chunk = ''] = /^([^:]*)(?::([^:]+))?$/.exec(fields('file_size')) ?? [];
  if (size === undefined) throw unexpectedValueError('the size', fields('file_size'), 'a size such as 1G:8k');
  const [, count = fields('num_files'), largest = '', smallest = '', directories = ''] =
    /^(\d+)(?::(\w+))?(?::(\d+))?(?:\/(\d+))?$/.exec(fields('num_files')) ?? [];
  const parts: Partial<Record<BonnieCsvColumn, string>> = {
    file_size: size,
    io_chunk_size: chunk,
    concurrency: '1',
    num_files: count,
    max_size: largest,
    min_size: smallest,
    num_dirs: directories,
  };
  return (column) => parts[column] ?? fields(column);
}
