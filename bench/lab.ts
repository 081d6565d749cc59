import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { freemem } from 'node:os';
import { join } from 'node:path';
import { GIB } from './gib.js';
import type { Place, Room } from './peers/peer.js';
import { Unavailable } from './unavailable.js';

/** What every bench is handed. */
export interface Lab {
  readonly rounds: number;
  /** The directory of each place. */
  readonly places: Readonly<Record<Place, string>>;
  /** Aborted by Ctrl-C: children are told to stop, and nobody starts another. */
  readonly signal: AbortSignal;
  /** One line of progress. */
  say(line: string): void;
}

/** What the kernel calls tmpfs and ramfs. */
const MEMORY_FILESYSTEMS: ReadonlySet<number> = new Set([0x01021994, 0x858458f6]);

/** What must stay free beside the test data: the programs themselves need memory, and a disk is not to be filled. */
const MARGIN_BYTES = GIB;

/** A fresh directory at the place of the work for one measurement, removed with all that is in it, whatever happens. */
export async function inRoom<T>(
  { place, sizeBytes }: Room,
  { places }: Lab,
  measure: (directory: string) => Promise<T>,
): Promise<T> {
  const parent = places[place];
  const { type, bavail, bsize } = await statfs(parent).catch(refuse);
  const isMemory = MEMORY_FILESYSTEMS.has(type);
  if (isMemory !== (place === 'memory'))
    throw new Unavailable(`${parent} lies ${isMemory ? 'in memory: pass a --dir on a disk' : 'on a disk'}`);
  // tmpfs may promise more than the memory that is left.
  const freeBytes = Math.min(bavail * bsize, isMemory ? freemem() : Number.POSITIVE_INFINITY);
  if (freeBytes < sizeBytes + MARGIN_BYTES) {
    const [needed, free] = [sizeBytes + MARGIN_BYTES, freeBytes].map((bytes) => (bytes / GIB).toFixed(2));
    throw new Unavailable(`needs ${needed} GiB in ${parent}, which has ${free} GiB free`);
  }
  const directory = await mkdtemp(join(parent, 'gobonnie-bench-')).catch(refuse);
  try {
    return await measure(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** A directory that is not there, or closed to whom we have become. */
function refuse(error: Error): never {
  throw new Unavailable(error.message);
}
