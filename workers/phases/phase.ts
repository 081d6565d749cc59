import type { TestData } from '../data/test-data.js';
import type { Latency } from '../latency.js';
import type { Slice, Transfer } from '../protocol.js';
import type { Random } from '../random.js';

/** What a worker has for a phase. All memory is made before the gate opens. */
export interface Station {
  readonly slice: Slice;
  readonly transfer: Transfer;
  readonly data: TestData;
  /** This worker's own memory for reads, as long as a block and as long as a piece. */
  readonly blockRegion: Uint8Array;
  readonly pieceRegion: Uint8Array;
  readonly random: Random;
  readonly flags: Int32Array;
  readonly progress: Float64Array;
  readonly latency: Latency;
}

/**
 * One thing that gobonnie measures: all that plan, run and report need to know of it, and the loop itself.
 * A new phase is a file that exports one of these and a row in the catalogue.
 */
export interface Phase {
  readonly name: string;
  /** What the result line calls it. */
  readonly title: string;
  /** What `-v` says was done: so many MiB `Written`. */
  readonly done: string;
  /** Which of its two rates is the figure: bytes a second or operations a second. */
  readonly figure: 'bytes' | 'operations';
  /** Whether it ends when its slice is done or when the duration is over. */
  readonly ends: 'slice' | 'duration';
  /** Where its operations go, one after the other. */
  readonly order: 'sequential' | 'random';
  /** Whether its reads have to come from the device, so that the page cache is emptied before and during it. */
  readonly coldCache: boolean;
  /** Whether the files are synced after the clock has stopped, which gives a second, durable rate. */
  readonly durable: boolean;
  /** Before the gate: opens what the work needs. */
  prepare(station: Station): Job;
}

/** A phase that is ready to start. */
export interface Job {
  /** The timed loop, from the gate on. Returns early when the stop flag is set. */
  work(): void;
  /** Timed, too. Called once, also when the work has failed. */
  close(): void;
}
