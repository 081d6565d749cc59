import type { BlockWork } from '../programs/benchmarked-program.js';

/** Work on tmpfs, where no device hides the cost of the program itself. */
export const TMPFS_WORK = {
  storageKind: 'memory',
  direct: false,
  blockSizeBytes: 65_536,
  ioSizeBytes: 512,
} as const satisfies Partial<BlockWork>;
