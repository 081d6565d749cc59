import { GobonnieError, isErrorCode } from '../errors.js';
import { optionCatalogue } from '../options/option-catalogue.js';
import type { Warning } from '../report/schema/report.js';
import { MS_PER_SECOND } from '../text/units.js';
import { type BarrierTimes, monotonicSeconds } from './clock.js';
import type { Communicator } from './communicator.js';
import { Coordinator, type DecisionExtras } from './coordinator.js';
import {
  lostResult,
  type ProceedDecision,
  parseDecision,
  parseResult,
  type StepResult,
  type StepSuccess,
  serializeMessage,
  toStepFailure,
} from './messages.js';

/** Outcome of a successful step. Only rank 0 has every result; after an abort there is no decision. */
export interface StepOutcome<Result> {
  readonly result: Result;
  readonly decision: ProceedDecision | null;
  readonly all: readonly StepResult[];
}

/** Returns the fields of a successful step's result. */
type DescribeResult<Result> = (result: Result) => Omit<StepSuccess, 'state' | 'barrierTimes' | 'warnings'>;

/**
 * The steps that all ranks of a job take. In each step, they wait for each other at the gate, send their results to
 * rank 0, and receive its decision to continue or stop. Even a rank that fails enters every barrier.
 */
export class JobSteps {
  /** How long to wait for the other ranks. */
  timeoutSeconds: number = optionCatalogue.barrierTimeout.default;
  protected readonly communicator: Communicator;
  /** Only rank 0 uses it. */
  protected readonly coordinator: Coordinator;
  /** Aborting it ends all barriers. */
  #signal: AbortSignal = new AbortController().signal;
  #step = 0;
  /** The barriers since the last result. */
  #barrierTimes: BarrierTimes[] = [];
  /** Warnings that rank 0 has not received yet. */
  #warnings: Warning[] = [];
  #isPastGate = false;
  #isFinished = false;
  #isReported = false;
  /** True if a rank missed a barrier, or cannot be reached. */
  #hasLostRank = false;

  constructor(communicator: Communicator) {
    this.communicator = communicator;
    this.coordinator = new Coordinator(communicator);
  }

  /** True for rank 0, which prints for all ranks. */
  get isFirst(): boolean {
    return this.communicator.rank === 0;
  }

  /** True if all ranks have received the outcome, so only rank 0 has to report it. */
  get isReported(): boolean {
    return this.#isReported;
  }

  /** After a signal, don't wait for the other ranks, and finalize so the launcher doesn't report a crash. */
  leaveOnAbort(signal: AbortSignal): void {
    this.#signal = signal;
    // If it fails, `leave` reports that.
    signal.addEventListener('abort', () => void this.communicator.leave().catch(() => {}));
  }

  /** Call once within a step: resolves when all ranks have reached the gate. */
  async gate(): Promise<void> {
    this.#isPastGate = true;
    await this.#guard(() => this.#barrier('gate'));
  }

  /** No steps follow, so `fail` does nothing. */
  finish(): void {
    this.#isFinished = true;
  }

  /** Reports a failure outside all steps: the other ranks receive it in their next step. */
  async fail(error: unknown): Promise<void> {
    if (this.#isFinished || this.#signal.aborted) return;
    await this.runStep(() => Promise.reject(error)).catch(() => {});
  }

  forwardWarning(warning: Warning): void {
    this.#warnings.push(warning);
  }

  /** Call last. The launcher kills ranks that never arrived. */
  async leave(exitCode: number): Promise<void> {
    this.finish();
    if (this.#hasLostRank) await this.communicator.abort(exitCode);
    else await this.communicator.leave();
  }

  protected async runStep<Result>(
    work: () => Promise<Result>,
    describe: DescribeResult<Result> = () => ({}),
    makeExtras: DecisionExtras = () => ({}),
  ): Promise<StepOutcome<Result>> {
    this.#step += 1;
    this.#isPastGate = false;
    const own = await this.#attempt(work, describe);
    const exchanged =
      this.#signal.aborted || this.#hasLostRank ? null : await this.#exchange(own.stepResult, makeExtras);
    if (exchanged && (own.stepResult.state === 'failed' || exchanged.decision.state === 'failed')) {
      this.#isFinished = true;
      this.#isReported = true;
    }
    if ('error' in own) throw own.error;
    if (!exchanged) return { result: own.result, decision: null, all: [] };
    const { decision, all } = exchanged;
    if (decision.state === 'failed')
      throw new GobonnieError(
        isErrorCode(decision.code) ? decision.code : 'rank-failed',
        decision.message,
        decision.hint,
      );
    return { result: own.result, decision, all };
  }

  /** Returns these ranks' results of the last step. Empty after an abort. */
  protected async getResults(ranks: readonly number[]): Promise<readonly StepResult[]> {
    if (this.#signal.aborted) return [];
    const results: StepResult[] = [];
    await this.#guard(async () => {
      for (const rank of ranks) results.push(await this.#getResult(rank));
    });
    return results.length === ranks.length ? results : [];
  }

  /** Enters every barrier even after a failure, so the other ranks don't hang. */
  async #attempt<Result>(
    work: () => Promise<Result>,
    describe: DescribeResult<Result>,
  ): Promise<{ result: Result; stepResult: StepResult } | { error: unknown; stepResult: StepResult }> {
    try {
      const result = await work();
      await this.#enterGate();
      const barrierTimes = this.#barrierTimes.splice(0);
      const warnings = this.#warnings.splice(0);
      return { result, stepResult: { state: 'done', barrierTimes, warnings, ...describe(result) } };
    } catch (error) {
      if (!this.#hasLostRank) await this.#enterGate();
      return { error, stepResult: toStepFailure(error as Error) };
    }
  }

  async #enterGate(): Promise<void> {
    if (!this.#isPastGate && !this.#signal.aborted) await this.gate();
  }

  /** Sends this rank's result, and returns the decision. Null after an abort. */
  async #exchange(own: StepResult, makeExtras: DecisionExtras) {
    const { communicator, coordinator, isFirst } = this;
    const decisionName = `decision.${this.#step}`;
    try {
      return await this.#guard(async () => {
        await communicator.put(`result.${this.#step}`, serializeMessage(own));
        await this.#barrier('end');
        const all = isFirst ? await this.#gatherResults() : [];
        if (isFirst)
          await communicator.put(decisionName, serializeMessage(coordinator.decide(all, makeExtras)));
        await this.#barrier('decision');
        return {
          decision: parseDecision(await communicator.get(0, decisionName)),
          all: all.filter((one) => one.state === 'done'),
        };
      });
    } catch (error) {
      // Some launchers deliver nothing before the barrier.
      const reachable = communicator.hasImmediateGet ? this.#gatherResults() : [own];
      if (isFirst) coordinator.recordIncomplete(await reachable);
      throw error;
    }
  }

  /** Returns the result of `act`, or null if it fails after an abort. Any other failure means that a rank is lost. */
  async #guard<Result>(act: () => Promise<Result>): Promise<Result | null> {
    try {
      return await act();
    } catch (error) {
      if (this.#signal.aborted) return null;
      this.#hasLostRank = true;
      throw error;
    }
  }

  /** Waits for all ranks, and records the times for the clock offsets. */
  async #barrier(name: string): Promise<void> {
    const entered = monotonicSeconds();
    const deadline = AbortSignal.timeout(this.timeoutSeconds * MS_PER_SECOND);
    try {
      const signal = AbortSignal.any([this.#signal, deadline]);
      await this.communicator.barrier(`${this.#step} ${name}`, signal);
    } catch (error) {
      if (!deadline.aborted) throw error;
      throw new GobonnieError(
        'rank-failed',
        `timed out after ${this.timeoutSeconds} s waiting for the other ranks: one has died or is much slower`,
        "check the launcher's messages; if a rank is only slow, pass a larger --barrier-timeout",
      );
    }
    this.#barrierTimes.push({ entered, left: monotonicSeconds() });
  }

  async #getResult(rank: number): Promise<StepResult> {
    return parseResult(await this.communicator.get(rank, `result.${this.#step}`));
  }

  /** Returns the results of all ranks. A result that was lost or corrupted counts as a failure. */
  async #gatherResults(): Promise<readonly StepResult[]> {
    const results: StepResult[] = [];
    for (let rank = 0; rank < this.communicator.size; rank++)
      results.push(await this.#getResult(rank).catch(lostResult));
    return results;
  }
}
