import type { TestData } from '../data/test-data.js';
import type { Engine, Request, RequestSource } from '../engine/engine.js';
import { engines } from '../engine/engine-catalogue.js';
import { PacedEngine } from '../engine/paced-engine.js';
import { checkWritten, locateLoss } from '../files/damage.js';
import { prepareFiles, type SliceFile, syncAtEnd } from '../files/slice-file.js';
import { type LatencyRecorder, readClockNs } from '../latency-recorder.js';
import {
  LIMIT,
  mayContinue,
  OPERATIONS,
  POSITION,
  READ_BYTES,
  SLICE_INDEX,
  type Slice,
  UNLIMITED,
  WRITTEN_BYTES,
} from '../protocol.js';
import type { Random } from '../random.js';
import type { PhaseContext, PreparedPhase } from './phase.js';

/** The requests of an operation, made one after the other. */
type Calls = readonly [Request['call'], ...Request['call'][]];

/** The operations of a phase. Each reads a block, or makes `writeCalls`. */
export interface BlockWork {
  /** The distance between sequential blocks. Random offsets are multiples of it. */
  readonly strideBytes: number;
  /** Spreads the operations with `writeCalls` evenly: with 10 %, operations 0, 10, 20, … make them, as in gobonniego. */
  readonly writePercent: number;
  readonly writeCalls: Calls;
  readonly writeLatency: LatencyRecorder;
  /** The number of operations that all workers do together. Absent if each worker has its own. */
  readonly sharedOperations?: number;
  /** Whether written files are synced at the end. */
  readonly syncsAtEnd: boolean;
  /** Whether to check after each file that the disk has kept all written data. */
  readonly checksWritten?: boolean;
}

/** The requests of an operation, and where to record its latency. */
interface OperationKind {
  readonly calls: Calls;
  readonly latency: LatencyRecorder;
  readonly endsWithSync: boolean;
}

/** One measured operation on a block: a read, a write, or both, with a sync after the write. */
interface Operation extends Request {
  /** The number of operations that have started before. */
  index: number;
  kind: OperationKind;
  /** Index of the request in flight. */
  callIndex: number;
  startNs: number;
  /** When the second or a later request started, in an operation that ends with a sync. */
  requestStartNs: number;
  /** The memory of the slot. */
  readonly block: Uint8Array;
}

const READ: Calls = ['read'];
const PERCENT = 100;

/** Prepares a phase whose operations are on whole blocks. */
export function prepareBlocks(context: PhaseContext, openFlags: number, work: BlockWork): PreparedPhase {
  const { depth, engine: engineName, intervalMs } = context.transfer;
  const prepared = prepareFiles(context, openFlags, (files) => runBlocks(files, engine, work, context));
  // All memory of the loop exists before the clock starts.
  const operations = Array.from({ length: depth }, (_, slot) => createOperation(slot, context)) as [
    Operation,
  ];
  // If a file cannot be opened, there must be no ring, because Node would not close it.
  const engine =
    intervalMs === null
      ? engines[engineName].open(operations, context.ioMemory)
      : new PacedEngine(operations[0], intervalMs, context);
  return {
    ...prepared,
    close() {
      engine.close();
      prepared.close();
    },
  };
}

/** Works on one slice after the other, or on all of them in random order. */
function runBlocks(
  files: readonly SliceFile[],
  engine: Engine<Operation>,
  work: BlockWork,
  context: PhaseContext,
): void {
  const source = new BlockSource(work, context);
  const groups = context.isRandom ? [files] : files.map((file) => [file]);
  for (const [at, group] of groups.entries()) {
    const done = files.slice(0, at + 1);
    try {
      source.setFiles(group);
      engine.run(source);
      if (!work.syncsAtEnd || !context.progress[WRITTEN_BYTES]) continue;
      for (const { fd } of group) syncAtEnd(fd, context);
      // A file that was not completed has no last block.
      if (work.checksWritten && context.flags[LIMIT] === UNLIMITED) checkWritten(done, context);
    } catch (error) {
      throw locateLoss(error, done, context);
    }
  }
}

/**
 * Places the operations in the files, supplies their data, checks what they read, and counts them. One class serves all
 * phases, because Node's compiler then knows the target of every call. Creates no garbage, which would delay operations.
 */
class BlockSource implements RequestSource<Operation> {
  readonly #data: TestData;
  readonly #isChecked: boolean;
  readonly #flags: Int32Array;
  readonly #progress: Float64Array;
  readonly #tickets: Int32Array;
  readonly #random: Random;
  readonly #isRandom: boolean;
  readonly #blockBytes: number;
  readonly #repeats: boolean;
  readonly #strideBytes: number;
  readonly #sharedOperations: number | undefined;
  readonly #writePercent: number;
  readonly #reads: OperationKind;
  readonly #writes: OperationKind;
  readonly #parts: PhaseContext['parts'];
  /** Whether data that the next operation overwrites must be copied, because both are in flight. */
  readonly #copiesData: boolean;
  #files: readonly SliceFile[] = [];
  /** The number of random offsets in each file. A division takes longer than the rest of the choice. */
  #positions: readonly number[] = [];
  /** The position of the next sequential block, and the end of the slice. See `createOperation` for the values. */
  #positionBytes = Number.NaN;
  #endBytes = Number.NaN;
  /** The remainder of the started operations times the share of writes. The next one writes if it is below that share. */
  #writeTurn = 0;
  /** Not read from the progress, which has doubles: Node needs ten times as long for the remainder of a double. */
  #started = 0;

  constructor(work: BlockWork, context: PhaseContext) {
    const { data, flags, progress, tickets, random, latency, parts, transfer, isRandom, blockBytes } =
      context;
    this.#data = data;
    this.#isChecked = data.isChecked;
    this.#flags = flags;
    this.#progress = progress;
    this.#tickets = tickets;
    this.#random = random;
    this.#isRandom = isRandom;
    this.#blockBytes = blockBytes;
    this.#repeats = transfer.repeats;
    this.#strideBytes = work.strideBytes;
    this.#sharedOperations = work.sharedOperations;
    this.#writePercent = work.writePercent;
    const endsWithSync = !['read', 'write'].includes(work.writeCalls.at(-1) ?? '');
    this.#reads = { calls: READ, latency, endsWithSync: false };
    this.#writes = { calls: work.writeCalls, latency: work.writeLatency, endsWithSync };
    this.#parts = parts;
    this.#copiesData = transfer.depth > 1 && data.isOverwritten;
  }

  /** Sets the files of the next operations. Sequential operations are in the first file. */
  setFiles(files: readonly SliceFile[]): void {
    const { offsetBytes = 0, lengthBytes = 0 } = files[0]?.slice ?? {};
    this.#files = files;
    this.#positions = files.map(
      ({ slice }) => Math.floor((slice.lengthBytes - this.#blockBytes) / this.#strideBytes) + 1,
    );
    this.#positionBytes = offsetBytes;
    this.#endBytes = offsetBytes + lengthBytes;
  }

  next(operation: Operation): boolean {
    let index = this.#started;
    if (!mayContinue(this.#flags, index)) return false;
    if (this.#sharedOperations !== undefined) {
      index = Atomics.add(this.#tickets, 0, 1);
      if (index >= this.#sharedOperations) return false;
    }
    if (this.#isRandom) this.#placeRandomly(operation);
    else if (!this.#placeNext(operation)) return false;
    this.#started += 1;
    const kind = this.#takesWrite(index) ? this.#writes : this.#reads;
    operation.index = index;
    operation.kind = kind;
    operation.callIndex = 0;
    operation.call = kind.calls[0];
    if (operation.call === 'write') this.#supplyData(operation);
    else operation.memory = operation.block;
    operation.startNs = kind.latency.begin();
    return true;
  }

  advance(operation: Operation, endNs?: number): boolean {
    const { call, kind, callIndex, startNs } = operation;
    const progress = this.#progress;
    const isLast = callIndex + 1 === kind.calls.length;
    if (isLast) {
      kind.latency.end(startNs, endNs);
      progress[OPERATIONS] = (progress[OPERATIONS] ?? 0) + 1;
    }
    if (call === 'read') {
      progress[READ_BYTES] = (progress[READ_BYTES] ?? 0) + this.#blockBytes;
      if (this.#isChecked)
        this.#data.checkBlock(
          operation.memory,
          operation.positionBytes,
          operation.file.slice,
          operation.index,
        );
    } else if (call === 'write') {
      progress[WRITTEN_BYTES] = (progress[WRITTEN_BYTES] ?? 0) + this.#blockBytes;
    } else {
      this.#parts.sync.end(operation.requestStartNs, endNs);
    }
    if (isLast) return true;
    if (kind.endsWithSync) {
      const nowNs = endNs ?? readClockNs();
      if (call === 'write')
        this.#parts.write.end(callIndex === 0 ? startNs : operation.requestStartNs, nowNs);
      operation.requestStartNs = nowNs;
    }
    if (call === 'read') this.#data.change(operation.memory, operation.index);
    operation.callIndex = callIndex + 1;
    operation.call = kind.calls[callIndex + 1] ?? call;
    return false;
  }

  /** Spreads the writes evenly: over the shared operations, or over this worker's own. */
  #takesWrite(index: number): boolean {
    if (this.#sharedOperations !== undefined)
      return (index * this.#writePercent) % PERCENT < this.#writePercent;
    const isWrite = this.#writeTurn < this.#writePercent;
    this.#writeTurn += this.#writePercent;
    if (this.#writeTurn >= PERCENT) this.#writeTurn -= PERCENT;
    return isWrite;
  }

  #placeNext(operation: Operation): boolean {
    const file = this.#files[0] as SliceFile;
    let positionBytes = this.#positionBytes;
    if (positionBytes >= this.#endBytes) {
      if (!this.#repeats) return false;
      positionBytes = file.slice.offsetBytes;
    }
    this.#positionBytes = positionBytes + this.#strideBytes;
    this.#place(operation, file, positionBytes);
    return true;
  }

  /** A single file draws no random number, so each seed keeps its offsets. */
  #placeRandomly(operation: Operation): void {
    const files = this.#files;
    const index = files.length === 1 ? 0 : this.#random.below(files.length);
    const file = files[index] as SliceFile;
    const position = this.#random.below(this.#positions[index] ?? 0);
    this.#place(operation, file, file.slice.offsetBytes + position * this.#strideBytes);
  }

  /** An error is reported for the place in the progress. */
  #place(operation: Operation, file: SliceFile, positionBytes: number): void {
    operation.file = file;
    operation.positionBytes = positionBytes;
    this.#progress[SLICE_INDEX] = file.index;
    this.#progress[POSITION] = positionBytes;
  }

  #supplyData(operation: Operation): void {
    const { file, positionBytes, block } = operation;
    const bytes = this.#data.blockAt(positionBytes, file.slice);
    if (this.#copiesData) block.set(bytes);
    operation.memory = this.#copiesData ? block : bytes;
  }
}

function createOperation(slot: number, context: PhaseContext): Operation {
  const { slices, latency, slotMemory, blockBytes } = context;
  const block = slotMemory(slot, blockBytes);
  return {
    slot,
    block,
    memory: block,
    call: 'read',
    kind: { calls: READ, latency, endsWithSync: false },
    callIndex: 0,
    file: { fd: -1, slice: slices[0] as Slice, index: 0 },
    // Values above 2^31 follow, and a change of the field's type would make Node compile the loop again.
    positionBytes: Number.NaN,
    doneBytes: 0,
    index: 0,
    startNs: Number.NaN,
    requestStartNs: Number.NaN,
  };
}
