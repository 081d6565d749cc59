/** What the main thread and its workers say to each other, and the memory that both sides see. */

import { constants } from 'node:fs';

/** For every open of the run's files: a link in the place of one is refused. Windows has no such flag. */
export const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

/** The part of the test data that one worker owns. */
export interface Slice {
  readonly file: string;
  readonly offsetBytes: number;
  readonly lengthBytes: number;
}

/** Everything a worker is told when it is spawned. */
export interface WorkerSetup {
  readonly index: number;
  readonly slice: Slice;
  readonly blockSizeBytes: number;
  readonly ioSizeBytes: number;
  readonly seed: number;
  /** The random block at offset 0, then one region for each worker. */
  readonly ioMemory: SharedArrayBuffer;
  readonly regionOffsetBytes: number;
  /** Gate, stop flag and progress: see `controlBytes`. */
  readonly control: SharedArrayBuffer;
}

/** Main to worker: get ready for this phase, then wait until the gate shows this number. */
export interface PhaseOrder {
  readonly phase: string;
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
  readonly bytes: number;
  readonly operations: number;
  readonly endNs: bigint;
}

/** Worker to main: the operation that ended this worker's phase. */
export interface Failure {
  readonly type: 'failure';
  readonly file: string;
  readonly positionBytes: number;
  readonly code: string;
  readonly errno: number | null;
  readonly message: string;
  readonly stack: string;
}

export type WorkerReply = Ready | Tally | Failure;

/** Int32 words at the start of the control memory. */
export const GATE = 0;
export const STOP = 1;

/** Float64 words of a worker's progress. */
export const OPERATIONS = 0;
export const BYTES = 1;
export const POSITION = 2;

/** Two cache lines each, so that no worker's counter slows its neighbour's (CPUs prefetch lines in pairs). */
const LINE_BYTES = 128;

export function controlBytes(threads: number): number {
  return LINE_BYTES * (1 + threads);
}

export function flagsOf(control: SharedArrayBuffer): Int32Array {
  return new Int32Array(control, 0, 2);
}

export function progressOf(control: SharedArrayBuffer, index: number): Float64Array {
  return new Float64Array(control, LINE_BYTES * (1 + index), 3);
}
