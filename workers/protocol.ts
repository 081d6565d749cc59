import { constants } from 'node:fs';
import type { Damage } from './files/read-write.js';
import { BUCKET_COUNT, type LatencyTally } from './latency-recorder.js';

/** For every open of the run's files: never follow a link. 0 on Windows, which has no such flag. */
export const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
/**
 * Bypasses the page cache. On Windows it is libuv's value for FILE_FLAG_NO_BUFFERING, which Node does not export. Null
 * on systems without this flag: they would ignore another value and buffer the I/O.
 */
export const DIRECT_FLAG: number | null =
  constants.O_DIRECT ?? (process.platform === 'win32' ? 0x02000000 : null);
/** A unit for the sizes and offsets of direct I/O that suits every device and filesystem. */
export const DIRECT_UNIT_BYTES = 4096;
/** False on Windows, where a program cannot sync a directory: NTFS journals the names in it. */
export function canSyncDirectories(platform: string): boolean {
  return platform !== 'win32';
}
/** For a file that gobonnie must create itself: the open fails if anything of that name exists. */
export const CREATE_NEW_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW;

/** A contiguous part of a data file, for one worker. */
export interface Slice {
  /** The index of the file among the data files of all ranks. */
  readonly fileIndex: number;
  readonly file: string;
  readonly offsetBytes: number;
  readonly lengthBytes: number;
}

/** The small files that one worker creates, stats and deletes. Their names follow from the seed, run and `index`. */
export interface FileTree {
  /** The index among all trees that are created together. */
  readonly index: number;
  /** A directory of this worker alone, or a shared directory. */
  readonly root: string;
  /** The number of its first file. Not 0 if other workers have files in the same directory. */
  readonly first: number;
  readonly count: number;
  /** Number of files that exist, if --stonewall stopped their creation. */
  readonly createdCount?: number;
  /** Number of directories below the root that hold the files. If 0, the root itself holds the files. */
  readonly directories: number;
  readonly kind: 'files' | 'hard-links' | 'symlinks';
  readonly minBytes: number;
  readonly maxBytes: number;
}

/** A directory for the files of a developer's tool. The workers fill it themselves, in directories below it. */
export interface ToolDirectory {
  readonly root: string;
  /** Number of packages of the project that is installed or restored. */
  readonly packages: number;
  /** Number of installed files: the first ones in npm's order if --stonewall stopped the installation. */
  readonly installedFiles: number;
}

/** Returns the directory of a run. Each run has a new one, because some filesystems create slowly where files were deleted. */
export function toolRunRoot(root: string, run: number): string {
  return `${root}.${run}`;
}

/** How a worker makes each write wait for the device: by a call after it, or by a flag of `open`. */
export type SyncMethod = 'fsync' | 'fdatasync' | 'o_dsync' | 'o_sync';

/** How a worker makes its requests: see the catalogue of engines. */
export type EngineName = 'uring' | 'threads';

export interface Transfer {
  readonly blockSizeBytes: number;
  readonly ioSizeBytes: number;
  /** Distance between a worker's sequential blocks: larger than a block if workers take turns at the blocks. */
  readonly strideBytes: number;
  /** Random offsets are multiples of this. */
  readonly alignBytes: number;
  /** The share of the moved bytes that are read. Random operations read or write. */
  readonly readPercent: number;
  readonly direct: boolean;
  readonly engine: EngineName;
  /** Number of requests in flight per worker. */
  readonly depth: number;
  /** Whether to sync written slices before the clock stops. For small files, only their directories are synced. */
  readonly fsync: boolean;
  /**
   * How to sync after every write except single bytes. If not null, a directory is also synced when a file in it appears
   * or disappears.
   */
  readonly syncPerWrite: SyncMethod | null;
  /** Size of the part of a slice, in whole blocks, that is moved byte by byte. */
  readonly byteWiseBytes: number;
  /** The time from the start of an operation to that of the next one, unless it takes longer. Null without pauses. */
  readonly intervalMs: number | null;
  /** Whether a sequential step begins again at the end of its data. */
  readonly repeats: boolean;
  /** Number of seeks that all workers do together. */
  readonly seeks: number;
  readonly fileBlockBytes: number;
}

export interface DataPattern {
  /** `same`: one repeated random block. `stamped`: every sector records its place, so no two sectors are alike. */
  readonly kind: 'same' | 'stamped';
  /** The size of the blocks with which the data was first written. */
  readonly blockBytes: number;
  /** Whether to check every read instead of one block in several. */
  readonly verify: boolean;
  /** The part of every sector that consists of zeros. */
  readonly compressiblePercent: number;
}

export interface WorkerSetup {
  readonly index: number;
  readonly content: DataPattern;
  readonly seed: number;
  /** Each worker of a run draws other random numbers. */
  readonly randomStream: number;
  /** The random block at offset 0, then one region for each worker. */
  readonly ioMemory: SharedArrayBuffer;
  readonly region: MemoryRegion;
  /** Gate, limit and progress: see `controlBytes`. */
  readonly control: SharedArrayBuffer;
  /** When the main thread's clock was 0, in milliseconds since 1970. */
  readonly timeOriginMs: number;
}

/** A worker's own part of the I/O memory: the memories of the operations in flight, and its stamped data in the pool. */
export interface MemoryRegion {
  readonly offsetBytes: number;
  /** Distance between the memories of the operations in flight. */
  readonly slotBytes: number;
  readonly poolOffsetBytes: number;
  /** 0 if nothing is stamped. */
  readonly poolBytes: number;
  /** The data in the pool repeats after this many bytes. The pool is longer, to keep every block in it contiguous. */
  readonly periodBytes: number;
}

export interface Assignment {
  readonly slices: readonly Slice[];
  readonly tree: FileTree | null;
  readonly toolDirectory?: ToolDirectory;
}

/** Main to worker: prepare this phase, then wait until the gate word has this value. */
export interface PhaseCommand extends Assignment {
  readonly phase: string;
  readonly transfer: Transfer;
  readonly run: number;
  /** The run that wrote the data: an earlier one if all runs use the same data. */
  readonly dataRun: number;
  readonly gate: number;
}

/** Worker to main: the worker waits at the gate since this time of the main thread's clock. */
interface WorkerReady {
  readonly type: 'ready';
  readonly timeNs: bigint;
}

export interface IoBytes {
  readonly readBytes: number;
  readonly writtenBytes: number;
}

/** Worker to main: one worker's work in one phase. `endNs` is on the main thread's clock. */
export interface WorkerTally extends IoBytes {
  readonly type: 'tally';
  readonly operations: number;
  readonly endNs: bigint;
  /** Of all operations, or of the reads if the random phase also writes. */
  readonly latency: LatencyTally;
  readonly writeLatency: LatencyTally;
  /** Of the writes alone and of the syncs alone, in operations that make both. Absent while the step runs. */
  readonly parts?: Readonly<Record<'write' | 'sync', LatencyTally>>;
  /** The I/O of this thread, by the kernel's count. Null if it is not counted, absent while the step runs. */
  readonly io?: IoBytes | null;
}

/** Worker to main: the operation that ended this worker's phase. */
export interface WorkerFailure {
  readonly type: 'failure';
  readonly file: string;
  readonly positionBytes: number;
  readonly code: string;
  readonly errno: number | null;
  readonly syscall: string | null;
  readonly message: string;
  readonly stack: string;
  /** Of data that differs. */
  readonly damage: Damage;
}

/** `ready` means that the worker has started, or that it has prepared a phase and is about to wait at the gate. */
export type WorkerReply = WorkerReady | WorkerTally | WorkerFailure;

/** Int32 words at the start of the control memory. */
export const GATE = 0;
/** Maximum number of steps per worker: blocks, files or random operations. */
export const LIMIT = 1;
/** Values of the limit. A stopped worker also skips the work after its last step, such as the final sync. */
export const STOPPED = -1;
export const UNLIMITED = 0;

/** Float64 words of a worker's progress. */
export const OPERATIONS = 0;
export const READ_BYTES = 1;
export const WRITTEN_BYTES = 2;
export const POSITION = 3;
/** The index of the slice that the worker is working on. */
export const SLICE_INDEX = 4;
/** 1 during the final sync, which counts no operations. */
export const SYNCING = 5;
/** Counts the seconds of pauses between operations, in which a worker makes no other progress. */
export const PAUSED_SECONDS = 6;
/** The number of operations that a worker with pauses has recorded. */
export const RECORDED_OPERATIONS = 7;
const PROGRESS_WORDS = 8;
/** The operations of a worker with pauses that are kept until the main thread reads them: a second at 1 ms. */
export const RECENT_OPERATIONS = 1024;
/** The start and the duration of each, in a ring. */
const RECENT_WORDS = 2 * RECENT_OPERATIONS;
/** Offset of the byte-wise phases' lock, which follows the progress words. */
const LOCK_OFFSET_BYTES = 64;

/** Two cache lines, because CPUs prefetch lines in pairs: no worker's counters slow down another worker. */
const LINE_BYTES = 128;
/** Separate lines for flags, tickets and changes: every operation reads the flags, and some change the other words. */
const SHARED_LINES = 3;
const COUNTS_BYTES = Float64Array.BYTES_PER_ELEMENT * BUCKET_COUNT;
/** A worker's progress, then its latencies and those of random writes, then its recent operations. */
const WORKER_BYTES = LINE_BYTES + 2 * COUNTS_BYTES + RECENT_WORDS * Float64Array.BYTES_PER_ELEMENT;

export function controlBytes(threads: number): number {
  return LINE_BYTES * SHARED_LINES + WORKER_BYTES * threads;
}

export function sharedWords(control: SharedArrayBuffer) {
  return {
    /** The gate and the limit. */
    flags: new Int32Array(control, 0, 2),
    /** Index of the next seek. A worker takes a seek by incrementing it. */
    tickets: new Int32Array(control, LINE_BYTES, 1),
    /** Number of changes since the data was written, or with `SameBlock` whether there was a change. */
    changes: new Int32Array(control, 2 * LINE_BYTES, 1),
  };
}

/**
 * True if a worker that has taken this many steps may take another step. A plain read, because every operation makes it
 * and Atomics.load is a call in Node 20: a worker that sees a new limit an operation later does no harm.
 */
export function mayContinue(flags: Int32Array, steps: number): boolean {
  const limit = flags[LIMIT];
  return limit === UNLIMITED || steps < (limit ?? STOPPED);
}

export function isStopped(flags: Int32Array): boolean {
  return Atomics.load(flags, LIMIT) === STOPPED;
}

export function workerWords(control: SharedArrayBuffer, index: number) {
  const offsetBytes = LINE_BYTES * SHARED_LINES + WORKER_BYTES * index;
  return {
    progress: new Float64Array(control, offsetBytes, PROGRESS_WORDS),
    /** Acquired and released for every byte. */
    lock: new Int32Array(control, offsetBytes + LOCK_OFFSET_BYTES, 1),
    /** Number of the phase's operations in each bucket so far. */
    latencyCounts: new Float64Array(control, offsetBytes + LINE_BYTES, BUCKET_COUNT),
    writeLatencyCounts: new Float64Array(control, offsetBytes + LINE_BYTES + COUNTS_BYTES, BUCKET_COUNT),
    recent: new Float64Array(control, offsetBytes + LINE_BYTES + 2 * COUNTS_BYTES, RECENT_WORDS),
  };
}
