import { makeCompressible } from '../../../workers/data/test-data.js';
import { Random } from '../../../workers/random.js';
import { GobonnieError } from '../../errors.js';
import { IO_PAGE_BYTES } from '../../plan/memory-layout.js';
import type { RunPlan } from '../../plan/plan.js';
import { raiseLimitHint } from '../../system-error.js';
import { formatBytes } from '../../text/units.js';

/** TypeScript declares it only for browsers. */
declare const WebAssembly: {
  Memory: new (limits: { shared: true; initial: number; maximum: number }) => { buffer: SharedArrayBuffer };
};

/** Allocates the memory for a run's reads and writes, and fills its start: the block that the phases write. */
export function makeIoMemory({ ioMemoryLayout, options, content }: RunPlan): SharedArrayBuffer {
  const memory = allocateIoMemory(ioMemoryLayout.totalBytes);
  const block = new Uint8Array(memory, 0, ioMemoryLayout.blockBytes);
  new Random(options.seed).fill(block);
  makeCompressible(block, content.compressiblePercent);
  return memory;
}

/** Allocates page-aligned memory for all threads: O_DIRECT accepts no other memory that JavaScript can allocate. */
export function allocateIoMemory(bytes: number): SharedArrayBuffer {
  const pages = bytes / IO_PAGE_BYTES;
  try {
    return new WebAssembly.Memory({ shared: true, initial: pages, maximum: pages }).buffer;
  } catch (cause) {
    throw new GobonnieError(
      'memory-too-small',
      `cannot allocate ${formatBytes(bytes)} of memory for reads and writes: ${(cause as Error).message}`,
      `${raiseLimitHint('`ulimit -v`')}pass fewer --threads or a smaller --block-size`,
      { cause },
    );
  }
}
