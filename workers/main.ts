import { parentPort, workerData } from 'node:worker_threads';
import { SameBlock } from './data/same-block.js';
import { fillPool, StampedData } from './data/stamped-data.js';
import type { DataError } from './files/read-write.js';
import { LatencyRecorder } from './latency-recorder.js';
import type { PreparedPhase } from './phases/phase.js';
import { getPhase } from './phases/phase-catalogue.js';
import {
  GATE,
  OPERATIONS,
  type PhaseCommand,
  POSITION,
  READ_BYTES,
  sharedWords,
  type WorkerFailure,
  type WorkerReply,
  type WorkerSetup,
  type WorkerTally,
  WRITTEN_BYTES,
  workerWords,
} from './protocol.js';
import { Random } from './random.js';
import { diffCounts, readThreadIo } from './thread-io.js';

const NS_PER_MS = 1_000_000;

if (!parentPort) throw new Error('this file is the entry of a worker thread');
const port = parentPort;
const setup = workerData as WorkerSetup;
const { index, seed, randomStream, content, ioMemory, region } = setup;
const { flags, tickets, changes } = sharedWords(setup.control);
const { progress, lock, latencyCounts, writeLatencyCounts, recent } = workerWords(setup.control, index);
const pool =
  content.kind === 'stamped' ? fillPool(seed, content.compressiblePercent, ioMemory, region) : null;
let preparedPhase: PreparedPhase | null = null;

/** The start of the memory holds the data to write. */
const writtenBytes = (lengthBytes: number) => new Uint8Array(ioMemory, 0, lengthBytes);
/** The worker's own memory for an operation in flight. */
const slotMemory = (slot: number, lengthBytes: number) =>
  new Uint8Array(ioMemory, region.offsetBytes + slot * region.slotBytes, lengthBytes);
/** How much later this thread's clock was 0. Node's threads share one clock; in Bun, each has its own. */
const clockOffsetNs = BigInt(Math.round((performance.timeOrigin - setup.timeOriginMs) * NS_PER_MS));
const readMainClockNs = () => process.hrtime.bigint() + clockOffsetNs;
const postReply = (message: WorkerReply) => port.postMessage(message);

function runPhase(command: PhaseCommand): WorkerTally {
  const { transfer, slices, tree, toolDirectory, run, dataRun, gate } = command;
  const { blockSizeBytes, ioSizeBytes, fileBlockBytes } = transfer;
  const phase = getPhase(command.phase);
  const isRandom = phase.order === 'random';
  const blockBytes = phase.ioUnit === 'random-blocks' ? ioSizeBytes : blockSizeBytes;
  // A clock that costs nothing is read for every operation: a recorder skips only operations that neither overlap nor pause.
  const isEach = transfer.depth > 1 || transfer.intervalMs !== null;
  const latency = new LatencyRecorder(latencyCounts, isEach ? 0 : undefined);
  const writeLatency = new LatencyRecorder(writeLatencyCounts, latency.clockCostNs);
  // Without a clock cost, they record every part that they get.
  const parts = { write: new LatencyRecorder(undefined, 0), sync: new LatencyRecorder(undefined, 0) };
  const data = pool
    ? new StampedData(dataRun, pool, content.verify, blockBytes, isRandom, changes)
    : new SameBlock(writtenBytes(content.blockBytes), writtenBytes(blockBytes), isRandom, changes);
  progress.fill(0);
  progress[POSITION] = slices[0]?.offsetBytes ?? 0;
  // A failure during the preparation must not name the previous phase's file.
  preparedPhase = null;
  // Node's compiled loops expect a context of the same shape in every phase, which a spread of the command has not.
  preparedPhase = phase.prepare({
    slices,
    tree,
    toolDirectory,
    transfer,
    run,
    seed,
    worker: index,
    isRandom,
    blockBytes,
    data,
    ioMemory,
    slotMemory,
    fileBlock: writtenBytes(fileBlockBytes),
    fileRegion: slotMemory(0, fileBlockBytes),
    random: new Random(seed, run, randomStream),
    flags,
    tickets,
    lock,
    progress,
    recent,
    latency,
    writeLatency,
    parts,
  });
  const ioBefore = readThreadIo();
  try {
    postReply({ type: 'ready', timeNs: readMainClockNs() });
    Atomics.wait(flags, GATE, gate - 1);
    preparedPhase.run();
  } finally {
    preparedPhase.close();
  }
  const endNs = readMainClockNs();
  return {
    type: 'tally',
    operations: progress[OPERATIONS] ?? 0,
    readBytes: progress[READ_BYTES] ?? 0,
    writtenBytes: progress[WRITTEN_BYTES] ?? 0,
    endNs,
    latency: latency.tally(),
    writeLatency: writeLatency.tally(),
    parts: { write: parts.write.tally(), sync: parts.sync.tally() },
    io: diffCounts(ioBefore, readThreadIo()),
  };
}

function toFailure(error: unknown): WorkerFailure {
  const { code, errno, syscall, path, message, stack, positionBytes, damage } =
    error as NodeJS.ErrnoException & Partial<DataError>;
  return {
    type: 'failure',
    file: path ?? preparedPhase?.currentFile() ?? '',
    positionBytes: positionBytes ?? progress[POSITION] ?? 0,
    code: code ?? 'BUG',
    errno: errno ?? null,
    syscall: syscall ?? null,
    message,
    stack: stack ?? message,
    damage: damage ?? null,
  };
}

port.on('message', (command: PhaseCommand) => {
  try {
    postReply(runPhase(command));
  } catch (error) {
    postReply(toFailure(error));
  }
});

postReply({ type: 'ready', timeNs: readMainClockNs() });
