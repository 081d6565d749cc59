import { randomInt } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { allocateIoMemory } from '../../../src/run/worker-pool/io-memory.js';
import { nextReply } from '../../../src/run/worker-pool/thread.js';
import {
  controlBytes,
  GATE,
  type PhaseCommand,
  sharedWords,
  type WorkerSetup,
} from '../../../workers/protocol.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { HAS_URING } from '../../support/engines.js';

const TERMINATIONS = 200;
const DEPTH = 32;
const BLOCK_BYTES = 4096;
/** Before and after each block are as many bytes that nothing may change. */
const SLOT_BYTES = 2 * BLOCK_BYTES;
const FIRST_SLOT = 65_536 + BLOCK_BYTES;
const CANARY = 0xa5;

const WORKER_FILE = createRequire(import.meta.url).resolve('#worker');

function transferOf(overrides: Partial<PhaseCommand['transfer']>): PhaseCommand['transfer'] {
  return {
    ...{
      blockSizeBytes: BLOCK_BYTES,
      ioSizeBytes: BLOCK_BYTES,
      strideBytes: BLOCK_BYTES,
      alignBytes: BLOCK_BYTES,
    },
    ...{ readPercent: 50, direct: false, engine: 'uring', depth: DEPTH, fsync: false, syncPerWrite: null },
    ...{
      byteWiseBytes: 0,
      intervalMs: null,
      repeats: false,
      seeks: 1,
      fileBlockBytes: BLOCK_BYTES,
      ...overrides,
    },
  };
}

/** Starts a thread on random operations, ends it in their midst, and returns its memory and the places of its blocks. */
async function terminateInFlight(file: string, lengthBytes: number, direct: boolean) {
  const ioMemory = allocateIoMemory(8 * 65_536);
  const memory = new Uint8Array(ioMemory);
  memory.fill(CANARY);
  const region = {
    offsetBytes: FIRST_SLOT,
    slotBytes: SLOT_BYTES,
    poolOffsetBytes: 0,
    poolBytes: 0,
    periodBytes: 0,
  };
  const content = { kind: 'same', blockBytes: BLOCK_BYTES, verify: false, compressiblePercent: 0 } as const;
  const control = new SharedArrayBuffer(controlBytes(1));
  const { timeOrigin: timeOriginMs } = performance;
  const setup: WorkerSetup = {
    index: 0,
    randomStream: 0,
    content,
    seed: 1,
    ioMemory,
    region,
    control,
    timeOriginMs,
  };
  const worker = new Worker(WORKER_FILE, { workerData: setup });
  await nextReply(worker);
  const slices = [{ fileIndex: 0, file, offsetBytes: 0, lengthBytes }];
  const command: PhaseCommand = {
    ...{ phase: 'random', transfer: transferOf({ direct }), slices, tree: null },
    run: 1,
    dataRun: 1,
    gate: 1,
  };
  worker.postMessage(command);
  await nextReply(worker);
  const { flags } = sharedWords(control);
  Atomics.store(flags, GATE, 1);
  Atomics.notify(flags, GATE);
  await sleep(randomInt(10));
  await worker.terminate();
  const blocks = Array.from({ length: DEPTH }, (_, slot) => FIRST_SLOT + slot * SLOT_BYTES).map((at) =>
    memory.subarray(at, at + BLOCK_BYTES),
  );
  return { memory, blocks };
}

function isInBlock(at: number): boolean {
  const place = at - FIRST_SLOT;
  return place >= 0 && place < DEPTH * SLOT_BYTES && place % SLOT_BYTES < BLOCK_BYTES;
}

describe.runIf(HAS_URING)('a thread that is terminated while requests are in flight', () => {
  test.each([true, false])(`lets them change only their own memory (direct I/O: %s)`, async (direct) => {
    const file = path.join(makeDirectory(os.tmpdir()), 'data');
    const lengthBytes = 16 * 1024 ** 2;
    writeFileSync(file, Buffer.alloc(lengthBytes, 1));
    let used = 0;
    for (let count = 0; count < TERMINATIONS / 2; count++) {
      const { memory, blocks } = await terminateInFlight(file, lengthBytes, direct);
      if (blocks.some((block) => block[0] !== CANARY)) used += 1;
      // Requests may end after the thread.
      await sleep(5);
      expect(memory.every((byte, at) => byte === CANARY || isInBlock(at))).toBe(true);
    }
    expect(used).toBeGreaterThan(TERMINATIONS / 4);
    rmSync(file);
  });
});
