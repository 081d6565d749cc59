import { FILE_TESTS, IO_TESTS } from '../../report/family.js';
import { shown } from '../../text/escape.js';
import { damaged } from './row.js';

export type Test = (typeof IO_TESTS)[number] | (typeof FILE_TESTS)[number];

/** What stands in a row, by name. What a format has no column for is empty. */
export type Fields = (name: Column) => string;

type Column =
  | 'format'
  | 'program'
  | 'name'
  | 'concurrency'
  | 'seed'
  | 'size'
  | 'chunk'
  | 'seek count'
  | 'seekers'
  | 'files'
  | 'largest'
  | 'smallest'
  | 'directories'
  | 'file chunk'
  | `${Test} %cpu`
  | `${Test} latency`
  | Test;

const columnsOf = (tests: readonly Test[]) => tests.flatMap((test): Column[] => [test, `${test} %cpu`]);
const latenciesOf = (tests: readonly Test[]) => tests.map((test): Column => `${test} latency`);

/** Of 1.03, which does not name itself. */
const FIRST: readonly Column[] = [
  ...(['name', 'size'] as const),
  ...columnsOf(IO_TESTS),
  'files',
  ...columnsOf(FILE_TESTS),
];

const LAST: readonly Column[] = [
  ...([
    'format',
    'program',
    'name',
    'concurrency',
    'seed',
    'size',
    'chunk',
    'seek count',
    'seekers',
  ] as const),
  ...columnsOf(IO_TESTS),
  ...(['files', 'largest', 'smallest', 'directories', 'file chunk'] as const),
  ...columnsOf(FILE_TESTS),
  ...latenciesOf(IO_TESTS),
  ...latenciesOf(FILE_TESTS),
];

/** Of 1.93 to 1.97: the seeks are not told yet. */
const MIDDLE = LAST.filter((column) => column !== 'seek count' && column !== 'seekers');

const MOST_NAME_COMMAS = 9;
/** No prose has so many commas. */
const ROW_COMMAS = 20;
/** A machine, a size with its unit and perhaps the chunk: a row of 1.03, be it a cut one. */
const FIRST_ROW = /^[^,]*,\d+[MG](?::\d+k?)?,/;
/** As a size is always told, and a figure never. */
const SURE_SIZE = /^\d+[MGT](?::\d+k?)?$/;
const VERSIONED = /^(\d+\.\d+[a-z]?),/;

/** Null for a line that is no row. */
export function fieldsOf(line: string): Fields | null {
  const values = line.trim().split(',');
  const [, format] = VERSIONED.exec(line.trim()) ?? [];
  const isLong = values.length > ROW_COMMAS;
  if (format === '1.98') return named(LAST, values, format);
  if (format && /^1\.9[3-7][a-z]?$/.test(format)) return named(MIDDLE, completed(values), format);
  if (format && isLong) throw damaged(`its format is ${format}, and not 1.03, 1.93 to 1.97 or 1.98`);
  return isLong || FIRST_ROW.test(line.trim()) ? unfolded(named(FIRST, values, '1.03')) : null;
}

function named(columns: readonly Column[], values: readonly string[], format: string): Fields {
  // The original does not quote: what is too much are the commas of the machine's name.
  const extra = values.length - columns.length;
  if (extra < 0 || extra > MOST_NAME_COMMAS) {
    throw damaged(
      `it has ${values.length} fields where format ${format} has ${columns.length}: ` +
        (extra < 0 ? 'it is cut' : 'rows run together'),
    );
  }
  const nameAt = columns.indexOf('name');
  const name = values.slice(nameAt, nameAt + extra + 1).join(',');
  const whole = [...values.slice(0, nameAt), name, ...values.slice(nameAt + extra + 1)];
  const byName = new Map(columns.map((column, at) => [column, (whole[at] ?? '').trim()]));
  const fields: Fields = (column) => byName.get(column) ?? '';
  if (extra > 0 && !isBehindName(fields)) {
    throw damaged(
      `it has ${values.length} fields where format ${format} has ${columns.length}, ` +
        'and no size behind a name with commas: there are fields too many',
    );
  }
  return fields;
}

/** Whether the block tests stand where they should, or were left out. */
function isBehindName(fields: Fields): boolean {
  return (
    SURE_SIZE.test(fields('size')) ||
    (['size', ...IO_TESTS] as const).every((column) => fields(column) === '')
  );
}

/** Where the block tests were left out, 1.96 prints a field too few. */
function completed(values: readonly string[]): readonly string[] {
  const sizeAt = MIDDLE.indexOf('size');
  const isShort = values.length === MIDDLE.length - 1;
  const isEmpty = values.slice(sizeAt, MIDDLE.indexOf('files') - 1).every((value) => value === '');
  return isShort && isEmpty ? values.toSpliced(sizeAt, 0, '') : values;
}

/** 1.03 puts the chunk with the size, `1G:8k`, and all about the files into one field, `16:1000:10/5`. */
function unfolded(fields: Fields): Fields {
  const [, size, chunk = ''] = /^([^:]*)(?::([^:]+))?$/.exec(fields('size')) ?? [];
  if (size === undefined) throw damaged(`the size is ${shown(fields('size'))}, which is no size`);
  const [, count = fields('files'), largest = '', smallest = '', directories = ''] =
    /^(\d+)(?::(\w+))?(?::(\d+))?(?:\/(\d+))?$/.exec(fields('files')) ?? [];
  const parts: Partial<Record<Column, string>> = {
    ...{ size, chunk, concurrency: '1' },
    ...{ files: count, largest, smallest, directories },
  };
  return (column) => parts[column] ?? fields(column);
}
