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
