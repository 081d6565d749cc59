import type { BlockWork } from '../programs/benchmarked-program.js';

/** On tmpfs no device hides the cost of the program itself. */
export const TMPFS_WORK = {
  storageKind: 'memory',
  direct: false,
  blockSizeBytes: 65_536,
  ioSizeBytes: 512,
} as const satisfies Partial<BlockWork>;
