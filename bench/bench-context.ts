import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { freemem } from 'node:os';
import { join } from 'node:path';
import { GIB } from '../src/text/units.js';
import { type BenchRow, type RowLabel, Unavailable } from './bench-row.js';
import type { Space, StorageKind } from './programs/benchmarked-program.js';

/** What every bench is given. */
export interface BenchContext {
  readonly rounds: number;
  /** The directory of each place. */
  readonly directories: Readonly<Record<StorageKind, string>>;
  /** Aborted by Ctrl-C: children are stopped, and no more are started. */
  readonly signal: AbortSignal;
  /** One line of progress. */
  log(line: string): void;
}

/** One or more rows of the table that are measured together. */
export interface Bench {
  /** The rows, known before it runs. */
  readonly labels: readonly RowLabel[];
  run(context: BenchContext): Promise<readonly BenchRow[]>;
}

/** The kernel's numbers of tmpfs and ramfs. */
const MEMORY_FILESYSTEMS: ReadonlySet<number> = new Set([0x01021994, 0x858458f6]);

/** What must stay free beside the test data: programs need memory, and a disk must not be filled. */
const MARGIN_BYTES = GIB;

/** Runs one measurement in a new directory at the given place, and removes the directory whatever happens. */
export async function withNewDirectory<T>(
  { storageKind, sizeBytes }: Space,
  { directories }: BenchContext,
  measure: (directory: string) => Promise<T>,
): Promise<T> {
  const parent = directories[storageKind];
  const { type, bavail, bsize } = await statfs(parent).catch(throwUnavailable);
  const isMemory = MEMORY_FILESYSTEMS.has(type);
  if (isMemory !== (storageKind === 'memory'))
    throw new Unavailable(`${parent} is ${isMemory ? 'in memory: pass a --dir on a disk' : 'on a disk'}`);
  // tmpfs may be larger than the free memory.
  const freeBytes = Math.min(bavail * bsize, isMemory ? freemem() : Number.POSITIVE_INFINITY);
  if (freeBytes < sizeBytes + MARGIN_BYTES) {
    const [needed, free] = [sizeBytes + MARGIN_BYTES, freeBytes].map((bytes) => (bytes / GIB).toFixed(2));
    throw new Unavailable(`needs ${needed} GiB in ${parent}, which has ${free} GiB free`);
  }
  const directory = await mkdtemp(join(parent, 'gobonnie-bench-')).catch(throwUnavailable);
  try {
    return await measure(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** For a directory that is missing, or not accessible after giving up root. */
function throwUnavailable(error: Error): never {
  throw new Unavailable(error.message);
}
