import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { freemem } from 'node:os';
import { join } from 'node:path';
import { GIB } from '../src/text/units.js';
import { type BenchRow, type RowLabel, Unavailable } from './bench-row.js';
import type { Space, StorageKind } from './programs/benchmarked-program.js';

/** Settings and services for every bench. */
export interface BenchContext {
  readonly rounds: number;
  /** The directory for each kind of storage. */
  readonly directories: Readonly<Record<StorageKind, string>>;
  /** Aborted by Ctrl-C, which stops all children and prevents new ones. */
  readonly signal: AbortSignal;
  /** Logs one line of progress. */
  log(line: string): void;
}

/** Measures one or more rows of the table together. */
export interface Bench {
  /** The rows that it will measure. */
  readonly labels: readonly RowLabel[];
  run(context: BenchContext): Promise<readonly BenchRow[]>;
}

/** The kernel's magic numbers of tmpfs and ramfs. */
const MEMORY_FILESYSTEMS: ReadonlySet<number> = new Set([0x01021994, 0x858458f6]);

/** Space to keep free besides the test data: programs need RAM, and a disk must not fill up. */
const MARGIN_BYTES = GIB;

/** Runs a measurement in a new directory on the given kind of storage, and always removes the directory. */
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
    const needed = toGib(sizeBytes + MARGIN_BYTES);
    throw new Unavailable(`needs ${needed} GiB in ${parent}, which has ${toGib(freeBytes)} GiB free`);
  }
  const directory = await mkdtemp(join(parent, 'gobonnie-bench-')).catch(throwUnavailable);
  try {
    return await measure(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function toGib(bytes: number): string {
  return (bytes / GIB).toFixed(2);
}

/** Handles a directory that is missing, or not accessible after dropping root. */
function throwUnavailable(error: Error): never {
  throw new Unavailable(error.message);
}
