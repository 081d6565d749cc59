import { parentPort, workerData } from 'node:worker_threads';
import { phaseNamed } from './phases/catalogue.js';
import {
  BYTES,
  type Failure,
  flagsOf,
  GATE,
  OPERATIONS,
  type PhaseOrder,
  POSITION,
  progressOf,
  type Tally,
  type WorkerReply,
  type WorkerSetup,
} from './protocol.js';
import { Random } from './random.js';
import { DataError } from './transfer.js';

if (!parentPort) throw new Error('this file is the entry of a worker thread');
const port = parentPort;
const setup = workerData as WorkerSetup;
const { slice, ioMemory, regionOffsetBytes } = setup;
const flags = flagsOf(setup.control);
const progress = progressOf(setup.control, setup.index);
const memory = {
  block: new Uint8Array(ioMemory, 0, setup.blockSizeBytes),
  piece: new Uint8Array(ioMemory, 0, setup.ioSizeBytes),
  blockRegion: new Uint8Array(ioMemory, regionOffsetBytes, setup.blockSizeBytes),
  pieceRegion: new Uint8Array(ioMemory, regionOffsetBytes, setup.ioSizeBytes),
};

function reply(message: WorkerReply): void {
  port.postMessage(message);
}

function perform({ phase: name, run, gate }: PhaseOrder): Tally {
  progress.fill(0);
  progress[POSITION] = slice.offsetBytes;
  const random = new Random(setup.seed, run, setup.index);
  const job = phaseNamed(name).prepare({ slice, ...memory, random, flags, progress });
  try {
    reply({ type: 'ready' });
    Atomics.wait(flags, GATE, gate - 1);
    job.work();
  } catch (error) {
    job.close();
    throw error;
  }
  job.close();
  const endNs = process.hrtime.bigint();
  return { type: 'tally', bytes: progress[BYTES] ?? 0, operations: progress[OPERATIONS] ?? 0, endNs };
}

function failureOf(error: unknown): Failure {
  const { code, errno, message, stack } = error as NodeJS.ErrnoException;
  const positionBytes = error instanceof DataError ? error.positionBytes : (progress[POSITION] ?? 0);
  return {
    type: 'failure',
    file: slice.file,
    positionBytes,
    code: code ?? 'BUG',
    errno: errno ?? null,
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
