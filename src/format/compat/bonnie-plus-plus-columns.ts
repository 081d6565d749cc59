import { FILE_TESTS, IO_TESTS } from './bonnie-tests.js';

export type BonnieTest = (typeof IO_TESTS)[number] | (typeof FILE_TESTS)[number];

/** The column of each test. The columns of the test's %CPU and latency are named after this column. */
export const TEST_COLUMNS = {
  putc: 'putc',
  write: 'put_block',
  rewrite: 'rewrite',
  getc: 'getc',
  read: 'get_block',
  seeks: 'seeks',
  create: 'seq_create',
  stat: 'seq_stat',
  delete: 'seq_del',
  'create-random': 'ran_create',
  'stat-random': 'ran_stat',
  'delete-random': 'ran_del',
} as const satisfies Record<BonnieTest, string>;

const RUN_COLUMNS = [
  'format_version',
  'bonnie_version',
  'name',
  'concurrency',
  'seed',
  'file_size',
  'io_chunk_size',
  'num_seeks',
  'seek_procs',
] as const;
const FILES_COLUMNS = ['num_files', 'max_size', 'min_size', 'num_dirs', 'file_chunk_size'] as const;

type TestColumn = (typeof TEST_COLUMNS)[BonnieTest];
export type BonnieCsvColumn =
  | (typeof RUN_COLUMNS)[number]
  | (typeof FILES_COLUMNS)[number]
  | TestColumn
  | `${TestColumn}_cpu`
  | `${TestColumn}_latency`;

/** bonnie++'s header in format 1.98, plus the two names that it lacks, so every field has a name. */
export const COLUMNS_1_98: readonly BonnieCsvColumn[] = [
  ...RUN_COLUMNS,
  ...listColumns(IO_TESTS),
  ...FILES_COLUMNS,
  ...listColumns(FILE_TESTS),
  ...[...IO_TESTS, ...FILE_TESTS].map((test) => `${TEST_COLUMNS[test]}_latency` as const),
];

export function listColumns(tests: readonly BonnieTest[]): readonly BonnieCsvColumn[] {
  return tests.flatMap((test) => [TEST_COLUMNS[test], `${TEST_COLUMNS[test]}_cpu` as const]);
}
