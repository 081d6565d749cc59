/** The phases in the tables of bonnie and bonnie++, in column order. */
export const IO_TESTS = ['putc', 'write', 'rewrite', 'getc', 'read', 'seeks'] as const;
export const FILE_TESTS = [
  'create',
  'stat',
  'delete',
  'create-random',
  'stat-random',
  'delete-random',
] as const;

export type BonnieTest = (typeof IO_TESTS)[number] | (typeof FILE_TESTS)[number];

/** The column of each test in bonnie++'s CSV. The columns of the test's %CPU and latency are named after this column. */
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

/** bonnie++'s header in format 1.98, plus the two names that it lacks, so every field has a name. */
export const COLUMNS_1_98 = [
  ...(['format_version', 'bonnie_version', 'name', 'concurrency', 'seed'] as const),
  ...(['file_size', 'io_chunk_size', 'num_seeks', 'seek_procs'] as const),
  ...listColumns(IO_TESTS),
  ...(['num_files', 'max_size', 'min_size', 'num_dirs', 'file_chunk_size'] as const),
  ...listColumns(FILE_TESTS),
  ...[...IO_TESTS, ...FILE_TESTS].map((test) => `${TEST_COLUMNS[test]}_latency` as const),
];

export type BonnieCsvColumn = (typeof COLUMNS_1_98)[number];

export function listColumns(tests: readonly BonnieTest[]) {
  return tests.flatMap((test) => [TEST_COLUMNS[test], `${TEST_COLUMNS[test]}_cpu` as const]);
}
