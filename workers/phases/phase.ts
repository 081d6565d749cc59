import type { TestData } from '../data/test-data.js';
import type { LatencyRecorder } from '../latency-recorder.js';
import type { PhaseCommand } from '../protocol.js';
import type { Random } from '../random.js';

/** Everything that a worker needs in a phase. All memory is allocated before the gate opens. */
export interface PhaseContext extends Pick<PhaseCommand, 'slices' | 'tree' | 'transfer' | 'run'> {
  readonly toolDirectory: PhaseCommand['toolDirectory'] | undefined;
  readonly seed: number;
  /** The index of this worker in the phase. */
  readonly worker: number;
  /** Whether the order of its operations is random. */
  readonly isRandom: boolean;
  /** The size of an operation on a block. */
  readonly blockBytes: number;
  readonly data: TestData;
  readonly ioMemory: ArrayBufferLike;
  /** Returns this worker's own memory for one operation in flight. */
  readonly slotMemory: (slot: number, lengthBytes: number) => Uint8Array;
  /** The data to write to small files, and the memory for reading them. */
  readonly fileBlock: Uint8Array;
  readonly fileRegion: Uint8Array;
  readonly random: Random;
  readonly flags: Int32Array;
  readonly tickets: Int32Array;
  readonly lock: Int32Array;
  readonly progress: Float64Array;
  readonly recent: Float64Array;
  readonly latency: LatencyRecorder;
  /** For the writes of a phase that also reads, in other operations. */
  readonly writeLatency: LatencyRecorder;
  /** For each part alone of an operation that writes and then syncs. */
  readonly parts: Readonly<Record<'write' | 'sync', LatencyRecorder>>;
}

/** The small files with names in numeric or in random order. */
export type TreeDataset = 'tree' | 'random-tree';
/**
 * The data in the slices, small files, a project with its installed packages, the files of a single phase, or files that
 * existed before the run.
 */
export type Dataset = 'data' | TreeDataset | 'project' | 'single-phase' | 'existing';

/**
 * One measurement of gobonnie: the facts that plan, run and report need, and the timed loop itself. To add a phase,
 * define one in its own file or next to similar phases, and add it to the catalogue.
 */
export interface Phase {
  readonly name: string;
  /** The phase's name in the result line. */
  readonly title: string;
  /** The word that `-v` prints before the amount: `Written`. */
  readonly amountLabel: string;
  /** The rate that is the result: bytes or operations per second. */
  readonly primaryRate: 'bytes' | 'operations';
  readonly dataset: Dataset;
  /** Whether it creates its dataset, or uses or deletes the dataset of an earlier phase. */
  readonly access: 'creates' | 'uses' | 'deletes';
  /**
   * The unit that one operation moves: a --block-size, an --io-size, a byte or a file. Random blocks end with the
   * duration. With tool calls, an operation is the calls of a developer's tool for a file or a commit.
   */
  readonly ioUnit: 'blocks' | 'random-blocks' | 'bytes' | 'files' | 'tool-calls';
  /** Ends the phase after this time and `minOperations`. Absent if it ends with its files. */
  readonly duration?: { readonly seconds: number; readonly minOperations: number };
  /**
   * Who runs it: every thread on its own data, --seek-threads workers, each on all data, or the tool's own number of
   * threads for a project of this many files.
   */
  readonly runBy: 'threads' | 'seek-threads' | ((files: number) => number);
  /**
   * The system calls for each file of the generated project, on average. Root makes one more. Absent if several threads
   * make them.
   */
  readonly callsPerFile?: number;
  readonly order: 'sequential' | 'random';
  /** The share of the moved bytes that it reads. Absent if --mix sets it. */
  readonly readPercent?: number;
  /** Whether its reads must come from the device, so the page cache is dropped before and during it. */
  readonly coldCache: boolean;
  /** Opens the files before the gate opens. */
  prepare(context: PhaseContext): PreparedPhase;
}

export function isTreeDataset(dataset: Dataset): dataset is TreeDataset {
  return dataset === 'tree' || dataset === 'random-tree';
}

/** True if the workers create the files themselves, in a directory of the phase. */
export function isToolDataset(dataset: Dataset): boolean {
  return dataset === 'project' || dataset === 'single-phase';
}

/** True if --direct applies: single bytes and small files are not whole blocks of a device. */
export function supportsDirect({ ioUnit }: Pick<Phase, 'ioUnit'>): boolean {
  return ioUnit === 'blocks' || ioUnit === 'random-blocks';
}

export interface PreparedPhase {
  /** Runs the timed loop after the gate has opened. Returns early when the limit is reached. */
  run(): void;
  /** Closes the files, which is also timed. Called once, even if the work failed. */
  close(): void;
  currentFile(): string;
}
