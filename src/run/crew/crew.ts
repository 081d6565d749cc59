import type { Worker } from 'node:worker_threads';
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
import { GobonnieError } from '../../errors.js';
import { regionOf } from '../../plan/memory.js';
import type { Plan } from '../../plan/plan.js';
import type { Series } from '../../report/schema/report.js';
import type { Scratch } from '../../scratch/scratch.js';
import { MS_PER_SECOND } from '../../text/units.js';
import { atDeadline } from './deadline.js';
import { makeIoMemory } from './io-memory.js';
import { type Sample, Sampler } from './sampler.js';
import { reply, spawnWorker, threadFailure } from './thread.js';

/** For each worker of a phase the slices that it works on. */
export type Team = readonly (readonly Slice[])[];

/** What each worker answered at the gate: that it is ready, or why it failed. */
export interface PreparedPhase {
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

/** The file and offset that a worker is at. */
export interface WorkerPosition {
  readonly file: string;
  /** Null for small files. */
  readonly positionBytes: number | null;
}

/** The worker threads of a run: started once, and released together at the gate for each phase. */
export class Crew {
  readonly #workers: readonly Worker[];
  readonly #flags: Int32Array;
  readonly #tickets: Int32Array;
  readonly #changes: Int32Array;
  readonly #progress: readonly Float64Array[];
  readonly #trees: readonly FileTree[];
  /** The indexes of the workers that have not answered yet. */
  readonly #busy = new Set<number>();
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

  static async start(plan: Plan, scratch: Scratch): Promise<Crew> {
    const { options, workers: size, transfer, content, ioMemory } = plan;
    const memory = makeIoMemory(plan);
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

  /** Each worker of the team opens its files and waits at the gate. */
  async prepare(phase: Phase, team: Team, run: number): Promise<PreparedPhase> {
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

  /** Opens the gate. Aborting the signal stops the workers after their current operations. */
  async perform(
    { phase, answers: preparation }: PreparedPhase,
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
        // After one failure there is no figure, so the others can stop.
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
      // Also when a worker died: the others have to end, and no timer may keep the process alive.
      stop();
      forgetDeadline();
      sampler.stop();
      signal.removeEventListener('abort', stop);
    }
  }

  /** Changes with every progress of any worker. */
  pulse(): number {
    let sum = 0;
    for (const words of this.#progress) for (const word of words) sum += word;
    return sum;
  }

  /** Of the workers that have not answered yet. */
  positions(): readonly WorkerPosition[] {
    return [...this.#busy].map((index) => {
      const progress = this.#progress[index];
      const slice = this.#team[index]?.[progress?.[SLICE] ?? 0];
      return {
        file: slice?.file ?? this.#trees[index]?.root ?? '',
        positionBytes: slice ? (progress?.[POSITION] ?? 0) : null,
      };
    });
  }

  async terminate(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  async #answer(worker: Worker, index: number): Promise<WorkerReply> {
    this.#busy.add(index);
    try {
      return await reply(worker);
    } finally {
      this.#busy.delete(index);
    }
  }

  #openGate(): bigint {
    const gateNs = process.hrtime.bigint();
    Atomics.store(this.#flags, GATE, this.#gate);
    Atomics.notify(this.#flags, GATE);
    return gateNs;
  }
}
