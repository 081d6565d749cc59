import { parentPort, workerData } from 'node:worker_threads';
import { SameBlock } from './data/same-block.js';
import { Stamped } from './data/stamped.js';
import type { TestData } from './data/test-data.js';
import { Latency } from './latency.js';
import { phaseNamed } from './phases/catalogue.js';
import {
  type Failure,
  flagsOf,
  GATE,
  OPERATIONS,
  type PhaseOrder,
  POSITION,
  progressOf,
  READ_BYTES,
  type Tally,
  type WorkerReply,
  type WorkerSetup,
  WRITTEN_BYTES,
} from './protocol.js';
import { Random } from './random.js';
import { DataError } from './transfer.js';

if (!parentPort) throw new Error('this file is the entry of a worker thread');
const port = parentPort;
const setup = workerData as WorkerSetup;
const { index, seed, slice, transfer, content, ioMemory, region } = setup;
const flags = flagsOf(setup.control);
const progress = progressOf(setup.control, index);
const memory = {
  blockRegion: new Uint8Array(ioMemory, region.offsetBytes, transfer.blockSizeBytes),
  pieceRegion: new Uint8Array(ioMemory, region.offsetBytes, transfer.ioSizeBytes),
};
let runOfData = 0;
let data: TestData;

function reply(message: WorkerReply): void {
  port.postMessage(message);
}

/** The stamps of a run are its own, and go on through its phases. */
function dataOf(run: number): TestData {
  if (run !== runOfData) data = makeData(run);
  runOfData = run;
  return data;
}

function makeData(run: number): TestData {
  if (content.kind === 'stamped')
    return new Stamped({ seed, run, index, slice }, content, transfer, ioMemory, region);
  const block = new Uint8Array(ioMemory, 0, transfer.blockSizeBytes);
  return new SameBlock(block, new Uint8Array(ioMemory, 0, transfer.ioSizeBytes));
}

function perform({ phase: name, run, gate }: PhaseOrder): Tally {
  progress.fill(0);
  progress[POSITION] = slice.offsetBytes;
  const random = new Random(seed, run, index);
  const latency = new Latency();
  const station = { slice, transfer, data: dataOf(run), ...memory, random, flags, progress, latency };
  const job = phaseNamed(name).prepare(station);
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
  return {
    type: 'tally',
    operations: progress[OPERATIONS] ?? 0,
    readBytes: progress[READ_BYTES] ?? 0,
    writtenBytes: progress[WRITTEN_BYTES] ?? 0,
    endNs,
    latency: latency.tally(),
  };
}

function failureOf(error: unknown): Failure {
  const { code, errno, syscall, message, stack } = error as NodeJS.ErrnoException;
  const positionBytes = error instanceof DataError ? error.positionBytes : (progress[POSITION] ?? 0);
  return {
    type: 'failure',
    file: slice.file,
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
