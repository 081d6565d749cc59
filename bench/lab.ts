import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { freemem } from 'node:os';
import { join } from 'node:path';
import { Unavailable } from './bench.js';
import { GIB } from './gib.js';

/** What every bench is handed. */
export interface Lab {
  readonly rounds: number;
  /** Aborted by Ctrl-C: children are told to stop, and nobody starts another. */
  readonly signal: AbortSignal;
  /** One line of progress. */
  say(line: string): void;
}

/** Memory, so that the programs are compared and not a disk's moods. */
const TMPFS = '/dev/shm';

/** What must stay free beside the test data: the programs themselves need memory too. */
const MARGIN_BYTES = GIB;

/** A fresh directory on tmpfs for one measurement, removed with all that is in it, whatever happens. */
export async function inRoom<T>(sizeBytes: number, measure: (directory: string) => Promise<T>): Promise<T> {
  const filesystem = await statfs(TMPFS).catch(() => {
    throw new Unavailable(`there is no ${TMPFS}`);
  });
  // tmpfs may promise more than the memory that is left.
  const freeBytes = Math.min(filesystem.bavail * filesystem.bsize, freemem());
  if (freeBytes < sizeBytes + MARGIN_BYTES) {
    const [needed, free] = [sizeBytes + MARGIN_BYTES, freeBytes].map((bytes) => (bytes / GIB).toFixed(2));
    throw new Unavailable(`needs ${needed} GiB in ${TMPFS}, which has ${free} GiB free`);
  }
  const directory = await mkdtemp(join(TMPFS, 'gobonnie-bench-'));
  try {
    return await measure(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
