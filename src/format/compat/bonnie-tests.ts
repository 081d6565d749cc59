/** The phases in the tables of bonnie and bonnie++, in column order, and the column of each phase in bonnie++'s CSV. */
const IO_COLUMNS = {
  putc: 'putc',
  write: 'put_block',
  rewrite: 'rewrite',
  getc: 'getc',
  read: 'get_block',
  seeks: 'seeks',
} as const;
const FILE_COLUMNS = {
  create: 'seq_create',
  stat: 'seq_stat',
  delete: 'seq_del',
  'create-random': 'ran_create',
  'stat-random': 'ran_stat',
  'delete-random': 'ran_del',
} as const;

/** The header of Garloff's Bonnie shows the number of seeks in this unit, rounded down. */
export const SEEKS_UNIT = 1000;
/** bonnie++ counts files in this unit. */
export const FILES_UNIT = 1024;
/** The I/O size of bonnie++ unless it prints another. */
export const DEFAULT_CHUNK_BYTES = 8192;

/** The columns of a test's %CPU and latency are named after this column. */
export const TEST_COLUMNS = { ...IO_COLUMNS, ...FILE_COLUMNS };
export type BonnieTest = keyof typeof TEST_COLUMNS;
export const IO_TESTS = Object.keys(IO_COLUMNS) as readonly (keyof typeof IO_COLUMNS)[];
export const FILE_TESTS = Object.keys(FILE_COLUMNS) as readonly (keyof typeof FILE_COLUMNS)[];

/** bonnie++'s header in format 1.98, plus the two names that it lacks, so every field has a name. */
const COLUMNS_1_98 = [
  ...(['format_version', 'bonnie_version', 'name', 'concurrency', 'seed'] as const),
  ...(['file_size', 'io_chunk_size', 'num_seeks', 'seek_procs'] as const),
  ...listColumns(IO_TESTS),
  ...(['num_files', 'max_size', 'min_size', 'num_dirs', 'file_chunk_size'] as const),
  ...listColumns(FILE_TESTS),
  ...[...IO_TESTS, ...FILE_TESTS].map((test) => `${TEST_COLUMNS[test]}_latency` as const),
];

export type BonnieCsvColumn = (typeof COLUMNS_1_98)[number];

/** The versions of bonnie++ whose rows readers expect. bon_csv2html and bon_csv2txt accept only 1.98. */
export const CSV_COLUMNS = {
  '1.98': COLUMNS_1_98,
  // Versions 1.93 to 1.97 report nothing about the seeks.
  '1.97': COLUMNS_1_98.filter((column) => column !== 'num_seeks' && column !== 'seek_procs'),
  // Rows of 1.03 do not contain their format.
  '1.03': ['name', 'file_size', ...listColumns(IO_TESTS), 'num_files', ...listColumns(FILE_TESTS)],
} satisfies Readonly<Record<string, readonly BonnieCsvColumn[]>>;

function listColumns(tests: readonly BonnieTest[]) {
  return tests.flatMap((test) => [TEST_COLUMNS[test], `${TEST_COLUMNS[test]}_cpu` as const]);
}
