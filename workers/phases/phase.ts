import type { TestData } from '../data/test-data.js';
import type { Latency } from '../latency.js';
import type { Manner, Slice, Transfer, Tree } from '../protocol.js';
import type { Random } from '../random.js';

/** What a worker has for a phase. All memory is made before the gate opens. */
export interface Station {
  /** The worker's part of the data, a file each. */
  readonly slices: readonly Slice[];
  readonly tree: Tree | null;
  readonly transfer: Transfer;
  readonly manner: Manner;
  readonly data: TestData;
  /** This worker's own memory for reads, as long as a block and as long as a piece. */
  readonly blockRegion: Uint8Array;
  readonly pieceRegion: Uint8Array;
  /** What is written into small files, and where it comes to when it is read. */
  readonly fileBlock: Uint8Array;
  readonly fileRegion: Uint8Array;
  readonly random: Random;
  /** The key of the names in the tree. */
  readonly treeKey: readonly number[];
  readonly flags: Int32Array;
  readonly tickets: Int32Array;
  readonly lock: Int32Array;
  readonly progress: Float64Array;
  readonly latency: Latency;
}

/** What a phase works on: the slices' data, or the small files, named in numeric or in random order. */
export type Stock = 'data' | 'tree' | 'random-tree';

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
  readonly stock: Stock;
  /** Whether it makes its stock anew, finds it made by a phase before it, or finds it and takes it away. */
  readonly use: 'makes' | 'needs' | 'takes';
  /** What one operation moves. */
  readonly moves: 'blocks' | 'pieces' | 'bytes' | 'files';
  /** Who does it: every thread on its own data, or so many seekers as were asked for, each on all of it. */
  readonly team: 'threads' | 'seekers';
  /** Whether it ends when its work is done or when the duration is over. */
  readonly ends: 'work' | 'duration';
  /** Where its operations go, one after the other. */
  readonly order: 'sequential' | 'random';
  /** Whether its reads have to come from the device, so that the page cache is emptied before and during it. */
  readonly coldCache: boolean;
  /** Whether the files are synced after the clock has stopped, which gives a second, durable rate. */
  readonly durable: boolean;
  /** Before the gate: opens what the work needs. */
  prepare(station: Station): Job;
}

/** Whether --direct means it, too: single bytes and small files are no whole blocks of a device. */
export function canBeDirect({ moves }: Pick<Phase, 'moves'>): boolean {
  return moves === 'blocks' || moves === 'pieces';
}

/** A phase that is ready to start. */
export interface Job {
  /** The timed loop, from the gate on. Returns early when the stop flag is set. */
  work(): void;
  /** Timed, too. Called once, also when the work has failed. */
  close(): void;
  /** The file that the work is at, so that a failure can be placed. */
  file(): string;
}
