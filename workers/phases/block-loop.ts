import type { Engine, Request } from '../engine/engine.js';
import { ThreadsEngine } from '../engine/threads-engine.js';
import { UringEngine } from '../engine/uring-engine.js';
import { prepareFiles, type SliceFile } from '../files/slice-file.js';
import { type LatencyRecorder, readClockNs } from '../latency-recorder.js';
import {
  mayContinue,
  OPERATIONS,
  POSITION,
  READ_BYTES,
  SLICE_INDEX,
  type Slice,
  WRITTEN_BYTES,
} from '../protocol.js';
import type { PhaseContext, PreparedPhase } from './phase.js';

/** The requests of an operation, made one after the other. */
export type Calls = readonly [Request['call'], ...Request['call'][]];
export const READ: Calls = ['read'];

/** One measured operation on a block: a read, a write, or both, with a sync after the write. */
export interface Operation extends Request {
  /** The number of operations that this worker has started before. */
  index: number;
  calls: Calls;
  /** Index of the request in flight. */
  callIndex: number;
  latency: LatencyRecorder;
  startNs: number;
  /** The memory of the slot. */
  readonly block: Uint8Array;
}

/** The operations of a phase, and their data. */
export interface BlockSource {
  /** Sets the calls and the place of an operation. Returns false if there is none left. */
  next(operation: Operation): boolean;
  /** Returns the data of an operation that only writes. */
  dataFor(operation: Operation): Uint8Array;
  /** Throws a DataError if an operation has read other data than was written. */
  check(operation: Operation): void;
}

/** Prepares a phase whose operations are on whole blocks. */
export function prepareBlocks(
  context: PhaseContext,
  openFlags: number,
  blockBytes: number,
  run: (files: readonly SliceFile[], loop: BlockLoop) => void,
): PreparedPhase {
  const prepared = prepareFiles(context, openFlags, (files) => run(files, loop));
  // If a file cannot be opened, there must be no ring, because Node would not close it.
  const loop = new BlockLoop(context, blockBytes);
  return {
    ...prepared,
    close() {
      loop.close();
      prepared.close();
    },
  };
}

/** Keeps as many operations in flight as the depth allows. Creates no garbage, which would delay operations. */
export class BlockLoop {
  readonly #context: PhaseContext;
  readonly #engine: Engine<Operation>;
  readonly #depth: number;
  /** A stack of the operations that are not in flight. Those from #idleCount on are not part of it. */
  readonly #idle: Operation[];
  readonly #completed: Operation[] = [];
  #idleCount: number;

  constructor(context: PhaseContext, blockBytes: number) {
    const { engine, depth } = context.transfer;
    this.#context = context;
    this.#depth = depth;
    this.#idleCount = depth;
    this.#engine = engine === 'uring' ? new UringEngine(depth, context.ioMemory) : new ThreadsEngine();
    this.#idle = Array.from({ length: depth }, (_, slot) => createOperation(slot, blockBytes, context));
  }

  /** Returns after the last operation, or early when the limit is reached. */
  run(source: BlockSource): void {
    const { flags, progress } = this.#context;
    let started = progress[OPERATIONS] ?? 0;
    for (;;) {
      while (this.#idleCount > 0 && mayContinue(flags, started)) {
        const operation = this.#idle[this.#idleCount - 1] as Operation;
        operation.index = started;
        if (!source.next(operation)) break;
        this.#start(operation, source);
        this.#idleCount -= 1;
        started += 1;
      }
      if (this.#idleCount === this.#depth) return;
      const count = this.#engine.complete(this.#completed);
      // One reading of the clock serves all that have completed together.
      const endNs = this.#depth > 1 ? readClockNs() : undefined;
      for (let at = 0; at < count; at++) this.#continue(this.#completed[at] as Operation, source, endNs);
    }
  }

  close(): void {
    this.#engine.close();
  }

  #start(operation: Operation, source: BlockSource): void {
    const { data, progress } = this.#context;
    const call = operation.calls[0];
    operation.callIndex = 0;
    operation.call = call;
    operation.memory = operation.block;
    progress[SLICE_INDEX] = operation.file.index;
    progress[POSITION] = operation.positionBytes;
    if (call === 'write') {
      const bytes = source.dataFor(operation);
      // Data that the next operation overwrites must be copied if both are in flight.
      if (this.#depth > 1 && data.isOverwritten) operation.block.set(bytes);
      else operation.memory = bytes;
    }
    operation.startNs = operation.latency.begin();
    this.#engine.submit(operation);
  }

  /** Ends an operation, or makes its next request. */
  #continue(operation: Operation, source: BlockSource, endNs: number | undefined): void {
    const { data, progress } = this.#context;
    const { call, calls, memory, latency, startNs } = operation;
    operation.callIndex += 1;
    const isLast = operation.callIndex === calls.length;
    if (call === 'read') progress[READ_BYTES] = (progress[READ_BYTES] ?? 0) + memory.length;
    if (call === 'write') progress[WRITTEN_BYTES] = (progress[WRITTEN_BYTES] ?? 0) + memory.length;
    if (isLast) {
      latency.end(startNs, endNs);
      progress[OPERATIONS] = (progress[OPERATIONS] ?? 0) + 1;
      this.#idle[this.#idleCount] = operation;
      this.#idleCount += 1;
    }
    if (call === 'read') {
      progress[SLICE_INDEX] = operation.file.index;
      progress[POSITION] = operation.positionBytes;
      source.check(operation);
    }
    if (isLast) return;
    if (call === 'read') data.change(memory, operation.index);
    operation.call = calls[operation.callIndex] ?? call;
    this.#engine.submit(operation);
  }
}

/** All memory of the loop exists before the clock starts. */
function createOperation(slot: number, blockBytes: number, context: PhaseContext): Operation {
  const { slices, latency, slotMemory } = context;
  const block = slotMemory(slot, blockBytes);
  return {
    slot,
    block,
    memory: block,
    call: 'read',
    calls: READ,
    callIndex: 0,
    file: { fd: -1, slice: slices[0] as Slice, index: 0 },
    // Values above 2^31 follow, and a change of the field's type would make Node compile the loop again.
    positionBytes: Number.NaN,
    doneBytes: 0,
    index: 0,
    latency,
    startNs: Number.NaN,
  };
}
