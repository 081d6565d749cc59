import type { TestData } from '../data/test-data.js';
import type { LatencyRecorder } from '../latency-recorder.js';
import type { FileTree, Slice, Transfer } from '../protocol.js';
import type { Random } from '../random.js';

/** Everything that a worker needs in a phase. All memory is allocated before the gate opens. */
export interface PhaseContext {
  /** The worker's part of the data. */
  readonly slices: readonly Slice[];
  readonly tree: FileTree | null;
  readonly transfer: Transfer;
  readonly data: TestData;
  /** This worker's own memory for reads: one block, and one piece. */
  readonly blockRegion: Uint8Array;
  readonly randomBlockRegion: Uint8Array;
  /** What is written to small files, and the memory that they are read into. */
  readonly fileBlock: Uint8Array;
  readonly fileRegion: Uint8Array;
  readonly random: Random;
  /** The key that determines the names in the tree. */
  readonly treeKey: readonly number[];
  readonly flags: Int32Array;
  readonly tickets: Int32Array;
  readonly lock: Int32Array;
  readonly progress: Float64Array;
  readonly latency: LatencyRecorder;
}

/** What a phase works on: the data in the slices, or the small files with names in numeric or in random order. */
export type Dataset = 'data' | 'tree' | 'random-tree';

/**
 * One thing that gobonnie measures: the facts that plan, run and report need, and the timed loop itself.
 * A new phase is one of these, in its own file or next to similar ones, and a row in the catalogue.
 */
export interface Phase {
  readonly name: string;
  /** What the result line calls it. */
  readonly title: string;
  /** The word that `-v` prints after its amount: `Written`. */
  readonly amountLabel: string;
  /** Which of its two rates is the result: bytes or operations per second. */
  readonly primaryRate: 'bytes' | 'operations';
  readonly dataset: Dataset;
  /** Whether it creates its dataset, uses what an earlier phase created, or deletes that. */
  readonly access: 'creates' | 'uses' | 'deletes';
  /** What one operation moves: a --block-size, an --io-size, a byte or a file. */
  readonly ioUnit: 'blocks' | 'random-blocks' | 'bytes' | 'files';
  /** Who runs it: every thread on its own data, or --seek-threads workers, each on all of it. */
  readonly runBy: 'threads' | 'seek-threads';
  /** Whether it ends when its work is done or when the duration is over. */
  readonly endCondition: 'work' | 'duration';
  /** In which order it visits its data. */
  readonly order: 'sequential' | 'random';
  /** Whether its reads must come from the device, so that the page cache is emptied before and during it. */
  readonly coldCache: boolean;
  /** Whether the files are synced after the clock has stopped, which gives a second, durable rate. */
  readonly durable: boolean;
  /** Runs before the gate opens: opens what the work needs. */
  prepare(context: PhaseContext): PreparedPhase;
}

/** Whether --direct applies: single bytes and small files are not whole blocks of a device. */
export function supportsDirect({ ioUnit }: Pick<Phase, 'ioUnit'>): boolean {
  return ioUnit === 'blocks' || ioUnit === 'random-blocks';
}

/** How many operations of a worker are a step, which is what its limit counts. */
export function operationsPerStep(
  { ioUnit }: Pick<Phase, 'ioUnit'>,
  { blockSizeBytes }: Pick<Transfer, 'blockSizeBytes'>,
): number {
  return ioUnit === 'bytes' ? blockSizeBytes : 1;
}

/** A phase that is ready to start. */
export interface PreparedPhase {
  /** The timed loop, from the gate on. Returns early when the limit is reached. */
  run(): void;
  /** Also timed. Called once, even if the work has failed. */
  close(): void;
  /** The file that is being worked on, to name it in a failure. */
  currentFile(): string;
}
