import { GobonnieError } from '../errors.js';
import type { Machine } from '../machine/machine.js';
import { counted, MIB, showBytes } from '../text/units.js';
import type { IoMemory } from './io-memory.js';

/** What a worker thread takes beside the I/O memory: 8 to 10.5 MiB, measured on Node 20 to 26. */
const WORKER_BYTES = 12 * MIB;
/** And the rest: 21 to 27 MiB of the program, as much of the process that watches over it, and some page cache. */
const PROGRAM_BYTES = 80 * MIB;

/** Beyond its limit on memory the kernel kills a container's process without a word. */
export function refuseManyWorkers(
  { workers, threads }: { readonly workers: number; readonly threads: number },
  { totalBytes, regionBytes }: Pick<IoMemory, 'totalBytes' | 'regionBytes'>,
  { memoryLimitBytes }: Pick<Machine, 'memoryLimitBytes'>,
): void {
  const neededBytes = PROGRAM_BYTES + workers * WORKER_BYTES + totalBytes;
  if (neededBytes <= memoryLimitBytes) return;
  const eachBytes = WORKER_BYTES + regionBytes;
  const most = workers - Math.ceil((neededBytes - memoryLimitBytes) / eachBytes);
  const flag = workers > threads ? '--seekers' : '--threads';
  throw new GobonnieError(
    'memory-too-small',
    `${counted(workers, 'thread')} ${workers === 1 ? 'needs' : 'need'} ${showBytes(neededBytes)} of memory, and at most ${showBytes(memoryLimitBytes)} can be had`,
    most > 0 ? `pass at most ${flag} ${most}` : 'raise the limit on memory',
  );
}
