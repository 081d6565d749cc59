import { GIB } from '../../src/text/units.js';
import type { RowTarget } from '../bench-row.js';
import { comparePrograms } from '../harness/compare-programs.js';
import { blockPrograms } from '../programs/program-groups.js';
import { TMPFS_WORK } from './tmpfs-work.js';

/** Size chosen because fio's clock only counts milliseconds. */
const work = { ...TMPFS_WORK, threads: 2, sizeBytes: 4 * GIB, iopsDurationSeconds: 5 };

const target: RowTarget = { statistic: 'ratio', bound: 'at least', limit: 0.95 };
const sequential = { work: '64 KiB, 2 threads, tmpfs', unit: 'MB/s', target };

/**
 * By default, fio records the latency of every operation, but gobonnie only samples it, because reading the clock twice
 * takes more than 4 % of an operation of a microsecond. gobonniego records no latency.
 */
const random = { work: '512 B, 2 threads, tmpfs', unit: '/s', target: { ...target, limit: 0.92 } };

export const throughput = comparePrograms(blockPrograms, work, [
  { name: 'write', metric: 'write', ...sequential },
  { name: 'read', metric: 'read', ...sequential },
  { name: 'iops', metric: 'iops', ...random },
]);
