/** The tests of the family's tables, by the names of their phases and in the order of the columns. */
export const IO_TESTS = ['putc', 'write', 'rewrite', 'getc', 'read', 'seeks'] as const;
export const FILE_TESTS = [
  'create',
  'stat',
  'delete',
  'create-random',
  'stat-random',
  'delete-random',
] as const;
