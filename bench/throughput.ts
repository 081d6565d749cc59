import { CACHED } from './cached.js';
import { comparison } from './comparison.js';
import { GIB } from './gib.js';
import { blocks } from './peers/catalogue.js';
import type { Target } from './row.js';

/** So large, because fio's clock counts milliseconds. */
const cached = { ...CACHED, threads: 2, sizeBytes: 4 * GIB, iopsDurationSeconds: 5 };

const target: Target = { of: 'ratio', bound: 'at least', limit: 0.95 };
const sequential = { work: '64 KiB, 2 threads, tmpfs', unit: 'MB/s', target };

/**
 * Both record latency here, as they do by default: fio that of every operation, gobonnie that of one in several,
 * because looking at the clock twice would be more than 4 % of an operation of a microsecond. gobonniego records none.
 */
const random = { work: '512 B, 2 threads, tmpfs', unit: '/s', target: { ...target, limit: 0.92 } };

export const throughput = comparison(blocks, cached, [
  { name: 'write', figure: 'write', ...sequential },
  { name: 'read', figure: 'read', ...sequential },
  { name: 'iops', figure: 'iops', ...random },
]);
