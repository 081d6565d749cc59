import { parentPort, workerData } from 'node:worker_threads';
import { SameBlock } from './data/same-block.js';
import { fillPool, Stamped } from './data/stamped.js';
import type { TestData } from './data/test-data.js';
import { DataError } from './files/transfer.js';
import { LatencyRecorder } from './latency.js';
import { phaseNamed } from './phases/catalogue.js';
import type { Job } from './phases/phase.js';
import {
  type Failure,
  GATE,
  OPERATIONS,
  type PhaseOrder,
  POSITION,
  READ_BYTES,
  sharedWords,
  type Tally,
  type WorkerReply,
  type WorkerSetup,
  WRITTEN_BYTES,
  workerWords,
} from './protocol.js';
import { Random } from './random.js';

if (!parentPort) throw new Error('this file is the entry of a worker thread');
const port = parentPort;
const setup = workerData as WorkerSetup;
const { index, seed, transfer, content, ioMemory, region } = setup;
const { flags, tickets, changes } = sharedWords(setup.control);
const { progress, lock, latencyCounts } = workerWords(setup.control, index);
const { blockSizeBytes, ioSizeBytes, fileBlockBytes } = transfer;
const block = new Uint8Array(ioMemory, 0, blockSizeBytes);
const piece = new Uint8Array(ioMemory, 0, ioSizeBytes);
const memory = {
  blockRegion: new Uint8Array(ioMemory, region.offsetBytes, blockSizeBytes),
  pieceRegion: new Uint8Array(ioMemory, region.offsetBytes, ioSizeBytes),
  fileBlock: new Uint8Array(ioMemory, 0, fileBlockBytes),
  fileRegion: new Uint8Array(ioMemory, region.offsetBytes, fileBlockBytes),
};
const pool =
  content.kind === 'stamped' ? fillPool(seed, content.compressiblePercent, transfer, ioMemory, region) : null;
let job: Job | null = null;

function reply(message: WorkerReply): void {
  port.postMessage(message);
}

function dataOf(run: number): TestData {
  if (pool) return new Stamped(run, pool, content.verify, transfer, changes);
  return new SameBlock(block, piece, changes);
}

function perform({ phase: name, isCached, slices, tree, run, gate }: PhaseOrder): Tally {
  const phase = phaseNamed(name);
  progress.fill(0);
  // A failure during the preparation must not name the previous phase's file.
  job = null;
  progress[POSITION] = slices[0]?.offsetBytes ?? 0;
  const context = {
    slices,
    tree,
    transfer: isCached ? { ...transfer, direct: false } : transfer,
    data: dataOf(run),
    ...memory,
    random: new Random(seed, run, index),
    treeKey: [seed, run, tree?.index ?? 0],
    flags,
    tickets,
    lock,
    progress,
    latency: new LatencyRecorder(latencyCounts),
  };
  job = phase.prepare(context);
  try {
    reply({ type: 'ready' });
    Atomics.wait(flags, GATE, gate - 1);
    job.work();
  } finally {
    job.close();
  }
  const endNs = process.hrtime.bigint();
  return {
    type: 'tally',
    operations: progress[OPERATIONS] ?? 0,
    readBytes: progress[READ_BYTES] ?? 0,
    writtenBytes: progress[WRITTEN_BYTES] ?? 0,
    endNs,
    latency: context.latency.tally(),
  };
}

function failureOf(error: unknown): Failure {
  const { code, errno, syscall, path, message, stack } = error as NodeJS.ErrnoException;
  const positionBytes = error instanceof DataError ? error.positionBytes : (progress[POSITION] ?? 0);
  return {
    type: 'failure',
    file: path ?? job?.file() ?? '',
    positionBytes,
    code: code ?? 'BUG',
    errno: errno ?? null,
    syscall: syscall ?? null,
    message,
    stack: stack ?? message,
  };
}

port.on('message', (order: PhaseOrder) => {
  try {
    reply(perform(order));
  } catch (error) {
    reply(failureOf(error));
  }
});

reply({ type: 'ready' });
