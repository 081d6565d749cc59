import type { Worker } from 'node:worker_threads';
import {
  type Assignment,
  controlBytes,
  GATE,
  isStopped,
  LIMIT,
  type PhaseCommand,
  POSITION,
  SLICE_INDEX,
  STOPPED,
  SYNCING,
  sharedWords,
  UNLIMITED,
  type WorkerReply,
  WRITTEN_BYTES,
  workerWords,
} from '../../../workers/protocol.js';
import { workerRegion } from '../../plan/memory-layout.js';
import type { RunPlan } from '../../plan/plan.js';
import type { Step } from '../../plan/steps.js';
import { minOperations } from '../../plan/stonewall-plan.js';
import type { ProgressSample } from '../../report/events/event-record.js';
import { rejectOtherClock } from '../../report/measure/elapsed.js';
import type { PhaseData } from '../../report/measure/measurement.js';
import { sum } from '../../report/statistics/statistics.js';
import { MS_PER_SECOND } from '../../text/units.js';
import { startSampler, tallySoFar } from './sampler.js';
import { nextReply, spawnWorker } from './thread.js';

/** The results of a step, which may be in progress. */
export type StepProgress = Omit<PhaseData, 'counters' | 'isCacheDropped' | 'leadSeconds'>;

/** A group of the worker threads of a run: each started once, and released together at the gate for each phase. */
export class WorkerPool {
  readonly #plan: RunPlan;
  /** The number of threads in the groups before this one. */
  readonly #firstThread: number;
  readonly #workers: Worker[] = [];
  readonly #ioMemory: SharedArrayBuffer;
  readonly #control: SharedArrayBuffer;
  readonly #shared: ReturnType<typeof sharedWords>;
  readonly #words: readonly ReturnType<typeof workerWords>[];
  /** The indexes of the workers that have not replied yet. */
  readonly #busy = new Set<number>();
  #assignments: readonly Assignment[] = [];
  #gate = 0;
  /** The number of threads that have run the loop of random operations, by its engine and its share of reads. */
  readonly #warmThreads = new Map<string, number>();

  /** `ioMemory` is the memory of all groups. */
  constructor(plan: RunPlan, group: number, ioMemory: SharedArrayBuffer) {
    const length = plan.workerGroups[group] ?? 0;
    this.#plan = plan;
    this.#firstThread = sum(plan.workerGroups.slice(0, group));
    this.#ioMemory = ioMemory;
    this.#control = new SharedArrayBuffer(controlBytes(length));
    this.#shared = sharedWords(this.#control);
    this.#words = Array.from({ length }, (_, index) => workerWords(this.#control, index));
  }

  /** Starts the first `count` workers, except those that run. After a failure, some threads may have started. */
  async start(count: number): Promise<void> {
    const { options, content, ioMemoryLayout } = this.#plan;
    const running = this.#workers.length;
    for (let index = running; index < count; index++) {
      const thread = this.#firstThread + index;
      const setup = {
        index,
        content,
        seed: options.seed,
        randomStream: thread,
        ioMemory: this.#ioMemory,
        region: workerRegion(ioMemoryLayout, thread),
        control: this.#control,
        timeOriginMs: performance.timeOrigin,
      };
      this.#workers.push(spawnWorker(setup));
    }
    await Promise.all(this.#workers.slice(running).map(nextReply));
  }

  /**
   * Lets each worker that has an assignment open its files and wait at the gate. Returns each worker's reply: ready,
   * or a failure.
   */
  async prepare(step: Step, run: number): Promise<readonly WorkerReply[]> {
    const { phase, transfer, assignments, maxOperationsPerWorker } = step;
    const { name, dataset, access } = phase;
    const dataRun = this.#plan.layout ? 1 : run;
    await this.start(assignments.length);
    this.#assignments = assignments;
    this.#gate += 1;
    const { flags, tickets, changes } = this.#shared;
    Atomics.store(flags, LIMIT, maxOperationsPerWorker ?? UNLIMITED);
    Atomics.store(tickets, 0, 0);
    if (dataset === 'data' && access === 'creates') Atomics.store(changes, 0, 0);
    return Promise.all(
      assignments.map(async (assignment, index) => {
        const gate = this.#gate;
        const sentNs = process.hrtime.bigint();
        const command: PhaseCommand = { phase: name, transfer, ...assignment, run, dataRun, gate };
        this.#workers[index]?.postMessage(command);
        const reply = await this.#awaitReply(index);
        if (reply.type === 'ready') rejectOtherClock(reply.timeNs, sentNs, process.hrtime.bigint());
        return reply;
      }),
    );
  }

  /**
   * Opens the gate. The workers stop after their current operations when the time is over, or at a signal. Their results
   * are complete if no worker failed and the phase was not stopped; `end` ends it like its time.
   */
  async perform(
    step: Step,
    preparation: readonly WorkerReply[],
    signal: AbortSignal,
    onSample: (sample: ProgressSample, soFar: () => StepProgress) => void,
    end?: AbortSignal,
  ) {
    const { goal } = step;
    const stop = () => this.stop();
    const limit = () => this.#limit(step);
    const stopSeconds = goal.unit === 'seconds' ? goal.amount : goal.timeLimitSeconds;
    const words = this.#words.slice(0, preparation.length);
    let sampler: ReturnType<typeof startSampler> | undefined;
    let deadline: NodeJS.Timeout | undefined;
    signal.addEventListener('abort', stop);
    end?.addEventListener('abort', limit);
    try {
      const pendingReplies = preparation.map(async (prepared, index) => {
        const reply = prepared.type === 'ready' ? await this.#awaitReply(index) : prepared;
        // After one failure there is no result, so the other workers can stop.
        if (reply.type === 'failure') stop();
        return reply;
      });
      if (signal.aborted) stop();
      if (end?.aborted) limit();
      const gateNs = process.hrtime.bigint();
      Atomics.store(this.#shared.flags, GATE, this.#gate);
      Atomics.notify(this.#shared.flags, GATE);
      const running = startSampler(step, words, gateNs, (sample) => onSample(sample, soFar));
      const soFar = () => ({ tallies: words.map(tallySoFar), gateNs, ...running.summarize() });
      sampler = running;
      // A timer may fire up to a millisecond early.
      if (stopSeconds !== undefined) deadline = setTimeout(limit, stopSeconds * MS_PER_SECOND + 1);
      const replies = await Promise.all(pendingReplies);
      return {
        tallies: replies.filter((reply) => reply.type === 'tally'),
        failures: replies.filter((reply) => reply.type === 'failure'),
        gateNs,
        ...sampler.finish(),
      };
    } finally {
      // If a worker died, the other workers must still stop, and no timer may keep the process alive.
      stop();
      clearTimeout(deadline);
      sampler?.stop();
      signal.removeEventListener('abort', stop);
      end?.removeEventListener('abort', limit);
    }
  }

  /** Returns false if as many threads have already warmed up for these operations. */
  startWarmUp({ phase, transfer, assignments }: Step): boolean {
    const loop = `${phase.name} ${transfer.engine} ${transfer.readPercent}`;
    const threads = assignments.length;
    const isNeeded = threads > (this.#warmThreads.get(loop) ?? 0);
    if (isNeeded) this.#warmThreads.set(loop, threads);
    return isNeeded;
  }

  stop(): void {
    this.#setLimit(STOPPED);
  }

  /** Returns how many bytes the workers have written so far in the step. */
  writtenBytes(): number {
    const active = this.#words.slice(0, this.#assignments.length);
    return sum(active.map(({ progress }) => progress[WRITTEN_BYTES] ?? 0));
  }

  /** Returns a number that changes whenever a worker makes progress. */
  totalProgress(): number {
    return sum(this.#words.flatMap(({ progress }) => [...progress]));
  }

  /** True if every worker that has not replied yet makes its final sync. */
  isSyncing(): boolean {
    return this.#busy.size > 0 && [...this.#busy].every((index) => this.#words[index]?.progress[SYNCING]);
  }

  /** Returns the files and offsets of the workers that have not replied yet. The offset is null for small files. */
  positions() {
    return [...this.#busy].map((index) => {
      const progress = this.#words[index]?.progress;
      const { slices = [], tree, toolDirectory } = this.#assignments[index] ?? {};
      const slice = slices[progress?.[SLICE_INDEX] ?? 0];
      return {
        file: slice?.file ?? tree?.root ?? toolDirectory?.root ?? '',
        positionBytes: slice ? (progress?.[POSITION] ?? 0) : null,
      };
    });
  }

  async terminate(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  /** Ends the phase early. The workers still do the work after their last step, such as the final sync. */
  #limit(step: Step): void {
    if (!isStopped(this.#shared.flags)) this.#setLimit(minOperations(step));
  }

  #setLimit(operations: number): void {
    Atomics.store(this.#shared.flags, LIMIT, operations);
    // A worker with pauses waits for its next operation.
    Atomics.notify(this.#shared.flags, LIMIT);
  }

  #awaitReply(index: number): Promise<WorkerReply> {
    this.#busy.add(index);
    return nextReply(this.#workers[index] as Worker).finally(() => this.#busy.delete(index));
  }
}
