/** What the main thread and its workers say to each other, and the memory that both sides see. */

import { constants } from 'node:fs';

/** For every open of the run's files: a link in the place of one is refused. Windows has no such flag. */
export const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
/** For a file that can only be of our own making: whatever is there already makes the open fail. */
export const MAKE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW;

/** A part of the test data that lies in one piece. */
export interface Slice {
  /** Its number among all slices. */
  readonly index: number;
  readonly file: string;
  readonly offsetBytes: number;
  readonly lengthBytes: number;
}

/** How bytes are moved one by one: through a buffer with a lock for each byte, without one, or in calls of their own. */
export type ByteMode = 'locked' | 'unlocked' | 'syscall';

/** The small files that one worker creates, looks at and deletes. */
export interface Tree {
  /** An empty directory of this worker alone. */
  readonly root: string;
  readonly count: number;
  /** So many directories below the root hold the files; with 0 they lie in the root itself. */
  readonly directories: number;
  readonly kind: 'files' | 'hard-links' | 'symlinks';
  readonly minBytes: number;
  readonly maxBytes: number;
}

/** How the data is moved: the same for every worker. */
export interface Transfer {
  readonly blockSizeBytes: number;
  readonly ioSizeBytes: number;
  /** Random offsets are multiples of it. */
  readonly alignBytes: number;
  /** Past the page cache, with O_DIRECT. */
  readonly direct: boolean;
  /** The written slice is synced before the clock stops; of small files the directories. */
  readonly fsync: boolean;
}

/** What the family's own tests want to know besides. */
export interface Manner {
  /** Every single write but those of a byte is synced, and every directory in which a file appears or disappears. */
  readonly syncEach: boolean;
  readonly byteMode: ByteMode;
  /** So much of a slice, in whole blocks, is moved byte by byte. */
  readonly byteWiseBytes: number;
  /** How many seeks all workers do together. */
  readonly seeks: number;
  /** So much of a small file is moved at once. */
  readonly fileBlockBytes: number;
}

/** What is written. */
export interface Content {
  /** `same`: one random block again and again. `stamped`: every sector says where it belongs, so that no two are alike. */
  readonly kind: 'same' | 'stamped';
  /** Everything that is read is compared, instead of a block now and then. */
  readonly verify: boolean;
  /** So much of every sector is zeros. */
  readonly compressiblePercent: number;
}

/** Everything a worker is told when it is spawned. */
export interface WorkerSetup {
  readonly index: number;
  readonly tree: Tree | null;
  readonly transfer: Transfer;
  readonly manner: Manner;
  readonly content: Content;
  readonly seed: number;
  /** The random block at offset 0, then one region for each worker. */
  readonly ioMemory: SharedArrayBuffer;
  readonly region: Region;
  /** Gate, stop flag and progress: see `controlBytes`. */
  readonly control: SharedArrayBuffer;
}

/** A worker's own part of the I/O memory: what it reads comes to its start, its stamped data lies in the pool. */
export interface Region {
  readonly offsetBytes: number;
  readonly poolOffsetBytes: number;
  /** 0 where nothing is stamped. */
  readonly poolBytes: number;
}

/** Main to worker: get ready for this phase, then wait until the gate shows this number. */
export interface PhaseOrder {
  readonly phase: string;
  /** The worker's part of the data in this phase. */
  readonly slices: readonly Slice[];
  readonly run: number;
  readonly gate: number;
}

/** Worker to main: spawned, or prepared for a phase and about to wait at the gate. */
export interface Ready {
  readonly type: 'ready';
}

/** Worker to main: what one worker did in one phase. The time is of the monotonic clock that all threads share. */
export interface Tally {
  readonly type: 'tally';
  readonly operations: number;
  readonly readBytes: number;
  readonly writtenBytes: number;
  readonly endNs: bigint;
  readonly latency: LatencyTally;
}

/** How long the operations took. Each recorded one stands for itself and those left out beside it. */
export interface LatencyTally {
  /** How many were recorded. */
  readonly samples: number;
  readonly minNs: number;
  readonly maxNs: number;
  /** Of the operations that the recorded ones stand for. */
  readonly totalNs: number;
  /** How many of them fell into each bucket: see `bucketOf`. */
  readonly counts: Float64Array;
}

/** Worker to main: the operation that ended this worker's phase. */
export interface Failure {
  readonly type: 'failure';
  readonly file: string;
  readonly positionBytes: number;
  readonly code: string;
  readonly errno: number | null;
  readonly syscall: string | null;
  readonly message: string;
  readonly stack: string;
}

export type WorkerReply = Ready | Tally | Failure;

/** Int32 words at the start of the control memory. */
export const GATE = 0;
export const STOP = 1;

/** Float64 words of a worker's progress. */
export const OPERATIONS = 0;
export const READ_BYTES = 1;
export const WRITTEN_BYTES = 2;
export const POSITION = 3;
/** Which of the worker's slices it is at. */
export const SLICE = 4;
const PROGRESS_WORDS = 5;
/** The lock of byte-wise phases lies behind them. */
const LOCK_OFFSET_BYTES = 64;

/** Two cache lines each, so that no worker's counter slows its neighbour's (CPUs prefetch lines in pairs). */
const LINE_BYTES = 128;
/** The flags, the tickets and the changes, apart because every operation reads the first and some change the others. */
const SHARED_LINES = 3;

export function controlBytes(threads: number): number {
  return LINE_BYTES * (SHARED_LINES + threads);
}

export function flagsOf(control: SharedArrayBuffer): Int32Array {
  return new Int32Array(control, 0, 2);
}

/** One word: how many operations of a fixed number have been given out. */
export function ticketsOf(control: SharedArrayBuffer): Int32Array {
  return new Int32Array(control, LINE_BYTES, 1);
}

/** One word: what the workers have changed of the data since it was written, as its kind counts it. */
export function changesOf(control: SharedArrayBuffer): Int32Array {
  return new Int32Array(control, 2 * LINE_BYTES, 1);
}

function lineOf(index: number): number {
  return LINE_BYTES * (SHARED_LINES + index);
}

export function progressOf(control: SharedArrayBuffer, index: number): Float64Array {
  return new Float64Array(control, lineOf(index), PROGRESS_WORDS);
}

/** One word: the lock that every byte takes and releases. */
export function lockOf(control: SharedArrayBuffer, index: number): Int32Array {
  return new Int32Array(control, lineOf(index) + LOCK_OFFSET_BYTES, 1);
}
