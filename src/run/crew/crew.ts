import type { Worker } from 'node:worker_threads';
import { makeCompressible } from '../../../workers/data/test-data.js';
import type { Phase } from '../../../workers/phases/phase.js';
import {
  changesOf,
  controlBytes,
  type Failure,
  type FileTree,
  flagsOf,
  GATE,
  type PhaseOrder,
  POSITION,
  progressOf,
  SLICE,
  type Slice,
  STOP,
  type Tally,
  ticketsOf,
  type WorkerReply,
  type WorkerSetup,
} from '../../../workers/protocol.js';
import { Random } from '../../../workers/random.js';
import { GobonnieError } from '../../errors.js';
import { regionOf } from '../../plan/memory.js';
import type { Plan } from '../../plan/plan.js';
import type { Series } from '../../report/schema/report.js';
import type { Scratch } from '../../scratch/scratch.js';
import { MS_PER_SECOND } from '../../text/units.js';
import { atDeadline } from './deadline.js';
import { allocateIoMemory } from './io-memory.js';
import { type Sample, Sampler } from './sampler.js';
import { reply, spawnWorker, threadFailure } from './thread.js';

/** For each worker of a phase the slices that it works on. */
export type Team = readonly (readonly Slice[])[];

/** What every worker answered when it was sent to the gate: that it is ready, or why it cannot be. */
export interface Preparation {
  readonly phase: Phase;
  readonly answers: readonly WorkerReply[];
}

export type PhaseResult =
  | {
      readonly state: 'completed';
      readonly tallies: readonly Tally[];
      readonly gateNs: bigint;
      readonly series: Series;
      readonly suspendedSeconds: number;
    }
  | { readonly state: 'stopped' }
  | { readonly state: 'failed'; readonly failures: readonly Failure[] };

/** What a worker works on. */
export interface Whereabouts {
  readonly file: string;
  /** Null for small files. */
  readonly positionBytes: number | null;
}

/** The worker threads of a run: spawned once, waiting at a gate, released together for each phase. */
export class Crew {
  readonly #workers: readonly Worker[];
  readonly #flags: Int32Array;
  readonly #tickets: Int32Array;
  readonly #changes: Int32Array;
  readonly #progress: readonly Float64Array[];
  readonly #trees: readonly FileTree[];
  /** The workers that have been sent to work and have not answered, by their number. */
  readonly #atWork = new Set<number>();
  #team: Team = [];
  #gate = 0;

  private constructor(workers: readonly Worker[], trees: readonly FileTree[], control: SharedArrayBuffer) {
    this.#workers = workers;
    this.#trees = trees;
    this.#flags = flagsOf(control);
    this.#tickets = ticketsOf(control);
    this.#changes = changesOf(control);
    this.#progress = workers.map((_, index) => progressOf(control, index));
  }

  static async hire(
    { options, workers: size, transfer, content, ioMemory }: Plan,
    scratch: Scratch,
  ): Promise<Crew> {
    const memory = allocateIoMemory(ioMemory.totalBytes);
    const block = new Uint8Array(memory, 0, ioMemory.blockBytes);
    new Random(options.seed).fill(block);
    makeCompressible(block, content.compressiblePercent);
    const control = new SharedArrayBuffer(controlBytes(size));
    const workers: Worker[] = [];
    try {
      for (let index = 0; index < size; index++) {
        const tree = scratch.trees[index] ?? null;
        const setup: WorkerSetup = {
          index,
          tree,
          transfer,
          content,
          seed: options.seed,
          ioMemory: memory,
          region: regionOf(ioMemory, index),
          control,
        };
        workers.push(spawnWorker(setup));
      }
      await Promise.all(workers.map(reply));
      return new Crew(workers, scratch.trees, control);
    } catch (error) {
      await Promise.all(workers.map((worker) => worker.terminate()));
      throw error instanceof GobonnieError ? error : threadFailure(error as Error);
    }
  }

  /** Every worker of the team opens what the phase needs and goes to the gate. */
  async prepare(phase: Phase, team: Team, run: number): Promise<Preparation> {
    this.#team = team;
    this.#gate += 1;
    Atomics.store(this.#flags, STOP, 0);
    Atomics.store(this.#tickets, 0, 0);
    if (phase.dataset === 'data' && phase.access === 'creates') Atomics.store(this.#changes, 0, 0);
    const workers = this.#workers.slice(0, team.length);
    const prepared = workers.map((worker, index) => this.#answer(worker, index));
    for (const [index, worker] of workers.entries()) {
      const order: PhaseOrder = { phase: phase.name, slices: team[index] ?? [], run, gate: this.#gate };
      worker.postMessage(order);
    }
    return { phase, answers: await Promise.all(prepared) };
  }

  /** Lets all of them go at once. Aborting the signal stops them after the operations under way. */
  async perform(
    { phase, answers: preparation }: Preparation,
    durationSeconds: number,
    signal: AbortSignal,
    onSample: (sample: Sample) => void,
  ): Promise<PhaseResult> {
    const stop = () => Atomics.store(this.#flags, STOP, 1);
    const workers = this.#workers.slice(0, preparation.length);
    const sampler = new Sampler(phase, this.#progress.slice(0, preparation.length), onSample);
    let forgetDeadline = () => {};
    signal.addEventListener('abort', stop);
    try {
      const ready = [...workers.entries()].filter(([index]) => preparation[index]?.type === 'ready');
      const finished = ready.map(async ([index, worker]) => {
        const answer = await this.#answer(worker, index);
        // One that failed makes the others' work worthless.
        if (answer.type === 'failure') stop();
        return answer;
      });
      if (signal.aborted || ready.length < workers.length) stop();
      const gateNs = this.#openGate();
      sampler.start(gateNs);
      if (phase.ends === 'duration')
        forgetDeadline = atDeadline(gateNs, durationSeconds * MS_PER_SECOND, stop);
      const answers = await Promise.all(finished);

      const series = sampler.finish();
      const failures = [...preparation, ...answers].filter((answer) => answer.type === 'failure');
      if (failures.length > 0) return { state: 'failed', failures };
      if (signal.aborted) return { state: 'stopped' };
      const tallies = answers.filter((answer) => answer.type === 'tally');
      return { state: 'completed', tallies, gateNs, series, suspendedSeconds: sampler.suspendedSeconds };
    } finally {
      // Also when a worker died: the others are to end, and nothing is to keep the process waiting.
      stop();
      forgetDeadline();
      sampler.stop();
      signal.removeEventListener('abort', stop);
    }
  }

  /** Changes with everything that any worker does. */
  pulse(): number {
    let sum = 0;
    for (const words of this.#progress) for (const word of words) sum += word;
    return sum;
  }

  /** Where those are that have not answered yet. */
  whereabouts(): readonly Whereabouts[] {
    return [...this.#atWork].map((index) => {
      const progress = this.#progress[index];
      const slice = this.#team[index]?.[progress?.[SLICE] ?? 0];
      return {
        file: slice?.file ?? this.#trees[index]?.root ?? '',
        positionBytes: slice ? (progress?.[POSITION] ?? 0) : null,
      };
    });
  }

  async dismiss(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  async #answer(worker: Worker, index: number): Promise<WorkerReply> {
    this.#atWork.add(index);
    try {
      return await reply(worker);
    } finally {
      this.#atWork.delete(index);
    }
  }

  #openGate(): bigint {
    const gateNs = process.hrtime.bigint();
    Atomics.store(this.#flags, GATE, this.#gate);
    Atomics.notify(this.#flags, GATE);
    return gateNs;
  }
}
