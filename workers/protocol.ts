/** The messages between the main thread and its workers, and the memory that both see. */

import { constants } from 'node:fs';
import { BUCKET_COUNT, type LatencyTally } from './latency-recorder.js';

/** For every open of the run's files: never follow a link. Windows has no such flag. */
export const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
/**
 * Bypasses the page cache. On Windows it is libuv's number for FILE_FLAG_NO_BUFFERING, which Node has no name for. Null
 * where there is none: another number would be ignored, and the I/O buffered.
 */
export const DIRECT_FLAG: number | null =
  constants.O_DIRECT ?? (process.platform === 'win32' ? 0x02000000 : null);
/** Windows does not let a program sync a directory: NTFS keeps a journal of the names in it. */
export function canSyncDirectories(platform: string): boolean {
  return platform !== 'win32';
}
/** For a file that only we may create: the open fails if anything exists there. */
export const CREATE_NEW_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW;

/** A contiguous part of the test data that one worker owns. */
export interface Slice {
  /** Its number among all slices. */
  readonly index: number;
  readonly file: string;
  readonly offsetBytes: number;
  readonly lengthBytes: number;
}

/** How putc and getc move bytes: through a buffer that is locked for each byte or not, or with a system call for each. */
export type ByteMode = 'locked' | 'unlocked' | 'syscall';

/** The small files that one worker creates, stats and deletes. Their names follow from the run's seed. */
export interface FileTree {
  /** Its number among all trees that are made together; the names follow from it, too. */
  readonly index: number;
  /** A directory of this worker alone, or of all that share it. */
  readonly root: string;
  /** The number of its first file. Not 0 if others have files in the same directory. */
  readonly first: number;
  readonly count: number;
  /** How many of them there are, if --stonewall stopped their creation. */
  readonly createdCount?: number;
  /** How many directories below the root hold the files; with 0 the root itself does. */
  readonly directories: number;
  readonly kind: 'files' | 'hard-links' | 'symlinks';
  readonly minBytes: number;
  readonly maxBytes: number;
}

/** How data is moved: the same for every worker. */
export interface Transfer {
  readonly blockSizeBytes: number;
  readonly ioSizeBytes: number;
  /** Random offsets are multiples of it. */
  readonly alignBytes: number;
  /** Whether to bypass the page cache. */
  readonly direct: boolean;
  /** Whether the written slice is synced before the clock stops; of small files only the directories are. */
  readonly fsync: boolean;
  /** Whether to sync after every write but a single byte's, and each directory when a file in it appears or disappears. */
  readonly fsyncPerWrite: boolean;
  readonly byteMode: ByteMode;
  /** The part of a slice, in whole blocks, that is moved byte by byte. */
  readonly byteWiseBytes: number;
  /** How many seeks all workers do together. */
  readonly seeks: number;
  /** How much of a small file is read or written at once. */
  readonly fileBlockBytes: number;
}

/** What is written. */
export interface DataPattern {
  /** `same`: one random block, repeated. `stamped`: every sector says where it belongs, so that no two are alike. */
  readonly kind: 'same' | 'stamped';
  /** Whether every read is compared, instead of one block now and then. */
  readonly verify: boolean;
  /** The part of every sector that is zeros. */
  readonly compressiblePercent: number;
}

/** What a worker is given when it starts. */
export interface WorkerSetup {
  readonly index: number;
  readonly transfer: Transfer;
  readonly content: DataPattern;
  readonly seed: number;
  /** The random block at offset 0, then one region for each worker. */
  readonly ioMemory: SharedArrayBuffer;
  readonly region: MemoryRegion;
  /** Gate, limit and progress: see `controlBytes`. */
  readonly control: SharedArrayBuffer;
}

/** A worker's own part of the I/O memory: reads go to its start, its stamped data is in the pool. */
export interface MemoryRegion {
  readonly offsetBytes: number;
  readonly poolOffsetBytes: number;
  /** 0 if nothing is stamped. */
  readonly poolBytes: number;
}

/** What one worker works on in a phase. */
export interface Assignment {
  /** Its part of the data. */
  readonly slices: readonly Slice[];
  /** Its small files. */
  readonly tree: FileTree | null;
}

/** Main to worker: prepare this phase, then wait until the gate shows this number. */
export interface PhaseCommand extends Assignment {
  readonly phase: string;
  /** Whether to go through the page cache even with --direct. */
  readonly isCached: boolean;
  readonly run: number;
  readonly gate: number;
}

/** Worker to main: the work of one worker in one phase. All threads share the monotonic clock of `endNs`. */
export interface WorkerTally {
  readonly type: 'tally';
  readonly operations: number;
  readonly readBytes: number;
  readonly writtenBytes: number;
  readonly endNs: bigint;
  readonly latency: LatencyTally;
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
}

/** A worker is ready when it has started, and when it has prepared a phase and is about to wait at the gate. */
export type WorkerReply = { readonly type: 'ready' } | WorkerTally | WorkerFailure;

/** Int32 words at the start of the control memory. */
export const GATE = 0;
/** How many steps each worker takes at most: blocks, files or random operations. */
export const LIMIT = 1;
/** Values of the limit. A worker that is stopped leaves out what follows its last step, too. */
export const STOPPED = -1;
export const UNLIMITED = 0;

/** Float64 words of a worker's progress. */
export const OPERATIONS = 0;
export const READ_BYTES = 1;
export const WRITTEN_BYTES = 2;
export const POSITION = 3;
/** The index of the slice that the worker is working on. */
export const SLICE_INDEX = 4;
const PROGRESS_WORDS = 5;
/** The lock of the byte-wise phases follows them. */
const LOCK_OFFSET_BYTES = 64;

/** Two cache lines each, because CPUs prefetch them in pairs: no worker's counters slow down another's. */
const LINE_BYTES = 128;
/** The flags, the tickets and the changes: apart, as every operation reads the flags and some change the others. */
const SHARED_LINES = 3;
/** A worker's progress, then its latencies. */
const WORKER_BYTES = LINE_BYTES + Float64Array.BYTES_PER_ELEMENT * BUCKET_COUNT;

export function controlBytes(threads: number): number {
  return LINE_BYTES * SHARED_LINES + WORKER_BYTES * threads;
}

/** The words that all threads share. */
export function sharedWords(control: SharedArrayBuffer): Record<'flags' | 'tickets' | 'changes', Int32Array> {
  return {
    /** The gate and the limit. */
    flags: new Int32Array(control, 0, 2),
    /** How many of a fixed number of operations the workers have taken. */
    tickets: new Int32Array(control, LINE_BYTES, 1),
    /** How often the workers have changed the data since it was written; see `TestData`. */
    changes: new Int32Array(control, 2 * LINE_BYTES, 1),
  };
}

/** Whether a worker that has taken so many steps takes one more. */
export function mayContinue(flags: Int32Array, steps: number): boolean {
  const limit = Atomics.load(flags, LIMIT);
  return limit === UNLIMITED || steps < limit;
}

export function isStopped(flags: Int32Array): boolean {
  return Atomics.load(flags, LIMIT) === STOPPED;
}

/** The words of one worker; the main thread reads its progress and its latencies. */
export function workerWords(
  control: SharedArrayBuffer,
  index: number,
): { progress: Float64Array; lock: Int32Array; latencyCounts: Float64Array } {
  const offsetBytes = LINE_BYTES * SHARED_LINES + WORKER_BYTES * index;
  return {
    progress: new Float64Array(control, offsetBytes, PROGRESS_WORDS),
    /** Taken and released for every byte. */
    lock: new Int32Array(control, offsetBytes + LOCK_OFFSET_BYTES, 1),
    /** How many operations of the phase are in each bucket so far. */
    latencyCounts: new Float64Array(control, offsetBytes + LINE_BYTES, BUCKET_COUNT),
  };
}
