import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Phase } from '../../workers/phases/phase.js';
import {
  controlBytes,
  type Failure,
  flagsOf,
  GATE,
  type PhaseOrder,
  type Slice,
  STOP,
  type Tally,
  type WorkerReply,
  type WorkerSetup,
} from '../../workers/protocol.js';
import { Random } from '../../workers/random.js';
import { GobonnieError, systemReason } from '../errors.js';
import type { Plan } from '../plan.js';
import { MS_PER_SECOND } from '../units.js';
import { atDeadline } from './deadline.js';
import { allocateIoMemory } from './io-memory.js';

/** The built worker, from src as from dist: a thread cannot load TypeScript. */
const WORKER = createRequire(import.meta.url).resolve('#worker');
/** A worker's loop makes next to no garbage, so its heap can be small: 64 of them then are lean. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32, stackSizeMb: 1 };

export type PhaseResult =
  | { readonly state: 'completed'; readonly tallies: readonly Tally[]; readonly gateNs: bigint }
  | { readonly state: 'stopped' }
  | { readonly state: 'failed'; readonly failures: readonly Failure[] };

/** The worker threads of a run: spawned once, waiting at a gate, released together for each phase. */
export class Crew {
  readonly #workers: readonly Worker[];
  readonly #flags: Int32Array;
  #gate = 0;

  private constructor(workers: readonly Worker[], flags: Int32Array) {
    this.#workers = workers;
    this.#flags = flags;
  }

  static async hire({ options, ioMemory }: Plan, slices: readonly Slice[]): Promise<Crew> {
    const memory = allocateIoMemory(ioMemory.totalBytes);
    new Random(options.seed).fill(new Uint8Array(memory, 0, ioMemory.regionBytes));
    const control = new SharedArrayBuffer(controlBytes(slices.length));
    const workers: Worker[] = [];
    try {
      for (const [index, slice] of slices.entries()) {
        const setup: WorkerSetup = {
          index,
          slice,
          blockSizeBytes: options.blockSize,
          ioSizeBytes: options.ioSize,
          seed: options.seed,
          ioMemory: memory,
          regionOffsetBytes: ioMemory.regionBytes * (1 + index),
          control,
        };
        workers.push(
          new Worker(WORKER, { workerData: setup, execArgv: [], env: {}, resourceLimits: RESOURCE_LIMITS }),
        );
      }
      await Promise.all(workers.map(reply));
      return new Crew(workers, flagsOf(control));
    } catch (error) {
      await Promise.all(workers.map((worker) => worker.terminate()));
      throw error instanceof GobonnieError ? error : threadFailure(error as Error);
    }
  }

  /** Performs one phase with all workers at once. Aborting the signal stops it after the operations under way. */
  async perform(
    phase: Phase,
    run: number,
    durationSeconds: number,
    signal: AbortSignal,
  ): Promise<PhaseResult> {
    const stop = () => Atomics.store(this.#flags, STOP, 1);
    let forgetDeadline = () => {};
    Atomics.store(this.#flags, STOP, 0);
    signal.addEventListener('abort', stop);
    try {
      const preparation = await this.#prepare(phase, run);
      const ready = this.#workers.filter((_, index) => preparation[index]?.type === 'ready');
      const finished = ready.map(async (worker) => {
        const answer = await reply(worker);
        // One that failed makes the others' work worthless.
        if (answer.type === 'failure') stop();
        return answer;
      });
      if (signal.aborted || ready.length < this.#workers.length) stop();
      const gateNs = this.#openGate();
      if (phase.ends === 'duration')
        forgetDeadline = atDeadline(gateNs, durationSeconds * MS_PER_SECOND, stop);
      const answers = await Promise.all(finished);

      const failures = [...preparation, ...answers].filter((answer) => answer.type === 'failure');
      if (failures.length > 0) return { state: 'failed', failures };
      if (signal.aborted) return { state: 'stopped' };
      return { state: 'completed', tallies: answers.filter((answer) => answer.type === 'tally'), gateNs };
    } finally {
      // Also when a worker died: the others are to end, and nothing is to keep the process waiting.
      stop();
      forgetDeadline();
      signal.removeEventListener('abort', stop);
    }
  }

  async dismiss(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  /** Every worker's answer: ready at the gate, or failed before it. */
  async #prepare(phase: Phase, run: number): Promise<readonly WorkerReply[]> {
    this.#gate += 1;
    const order: PhaseOrder = { phase: phase.name, run, gate: this.#gate };
    const prepared = this.#workers.map(reply);
    for (const worker of this.#workers) worker.postMessage(order);
    return Promise.all(prepared);
  }

  #openGate(): bigint {
    const gateNs = process.hrtime.bigint();
    Atomics.store(this.#flags, GATE, this.#gate);
    Atomics.notify(this.#flags, GATE);
    return gateNs;
  }
}

/** A worker's next message; rejects when the worker dies instead. */
function reply(worker: Worker): Promise<WorkerReply> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      act();
    };
    const onMessage = (message: WorkerReply) => settle(() => resolve(message));
    const onError = (error: Error) => settle(() => reject(threadFailure(error)));
    const onExit = (code: number) =>
      settle(() => reject(threadFailure(new Error(`it ended with code ${code}`))));
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
  });
}

function threadFailure(cause: Error): GobonnieError {
  return new GobonnieError(
    'threads-failed',
    `a worker thread could not be had: ${systemReason(cause)}`,
    'pass fewer --threads, or raise the limits on processes, open files and memory',
    { cause },
  );
}
