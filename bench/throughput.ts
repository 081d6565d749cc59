import { comparison } from './comparison.js';
import { GIB } from './gib.js';
import type { Work } from './peers/peer.js';
import type { Target } from './row.js';

/** On tmpfs no device hides what the program itself costs. So large, because fio's clock counts milliseconds. */
const cached: Work = {
  threads: 2,
  sizeBytes: 4 * GIB,
  blockSizeBytes: 65_536,
  ioSizeBytes: 512,
  iopsDurationSeconds: 5,
};

const target: Target = { of: 'ratio', bound: 'at least', limit: 0.95 };
const sequential = { work: '64 KiB, 2 threads, tmpfs', unit: 'MB/s', target };

export const throughput = comparison(cached, [
  { name: 'write', figure: 'write', ...sequential },
  { name: 'read', figure: 'read', ...sequential },
  { name: 'iops', figure: 'iops', work: '512 B, 2 threads, tmpfs', unit: '/s', target },
]);
