import { GobonnieError } from '../../errors.js';
import { IO_PAGE_BYTES } from '../../plan/memory.js';
import { showBytes } from '../../text/units.js';

/** TypeScript knows it only as a part of the browser's library. */
declare const WebAssembly: {
  Memory: new (limits: {
    shared: true;
    initial: number;
    maximum: number;
  }) => { readonly buffer: SharedArrayBuffer };
};

/** Page-aligned memory that all threads share. No other that JavaScript can have is taken by O_DIRECT. */
export function allocateIoMemory(bytes: number): SharedArrayBuffer {
  const pages = bytes / IO_PAGE_BYTES;
  try {
    return new WebAssembly.Memory({ shared: true, initial: pages, maximum: pages }).buffer;
  } catch (cause) {
    throw new GobonnieError(
      'memory-too-small',
      `${showBytes(bytes)} of memory for the reads and writes could not be had: ${(cause as Error).message}`,
      'raise `ulimit -v`, or pass fewer --threads or a smaller --block-size',
      { cause },
    );
  }
}
