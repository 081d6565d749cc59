import { type ErrorCode, GobonnieError } from '../errors.js';
import { OPTION_DEFAULTS } from '../options/option-catalogue.js';
import { toGobonnieError } from '../system-error.js';
import { MS_PER_SECOND } from '../text/units.js';
import { type BarrierTimes, monotonicSeconds } from './clock.js';
import type { Communicator } from './communicator.js';
import { type Decision, parseDecision, parseResult, type StepResult, serializeMessage } from './messages.js';

/** Exchanges the results and decisions of each step between the ranks of a job, and waits for the other ranks. */
export class Collectives {
  readonly #communicator: Communicator;
  #barrierTimes: BarrierTimes[] = [];
  #step = 0;
  #hasLostRank = false;
  /** Aborting it ends all barriers. */
  signal: AbortSignal = new AbortController().signal;
  /** How long to wait for the other ranks. */
  timeoutSeconds: number = OPTION_DEFAULTS.barrierTimeout;

  constructor(communicator: Communicator) {
    this.#communicator = communicator;
  }

  /** True if a rank missed a barrier, or cannot be reached. */
  get hasLostRank(): boolean {
    return this.#hasLostRank;
  }

  nextStep(): void {
    this.#step += 1;
  }

  /** Returns the result of `act`, or null if it fails after an abort. Any other failure means that a rank is lost. */
  async guard<Result>(act: () => Promise<Result>): Promise<Result | null> {
    try {
      return await act();
    } catch (error) {
      if (this.signal.aborted) return null;
      this.#hasLostRank = true;
      throw error;
    }
  }

  /** Waits for all ranks, and records the times for the clock offsets. */
  async barrier(name: string): Promise<void> {
    const entered = monotonicSeconds();
    await this.#barrier(name);
    if (!this.signal.aborted) this.#barrierTimes.push({ entered, left: monotonicSeconds() });
  }

  async #barrier(name: string): Promise<void> {
    const deadline = AbortSignal.timeout(this.timeoutSeconds * MS_PER_SECOND);
    try {
      await this.#communicator.barrier(`${this.#step} ${name}`, AbortSignal.any([this.signal, deadline]));
    } catch (error) {
      // The abort already ends the run.
      if (this.signal.aborted) return;
      this.#hasLostRank = true;
      if (!deadline.aborted) throw error;
      throw new GobonnieError(
        'rank-failed',
        `timed out after ${this.timeoutSeconds} s waiting for the other ranks: one has died or is much slower`,
        "check the launcher's messages; if a rank is only slow, pass a larger --barrier-timeout",
      );
    }
  }

  /** Returns the barriers since the last call. */
  takeBarrierTimes(): BarrierTimes[] {
    const barrierTimes = this.#barrierTimes;
    this.#barrierTimes = [];
    return barrierTimes;
  }

  async sendResult(result: StepResult): Promise<void> {
    await this.#communicator.put(`result.${this.#step}`, serializeMessage(result));
  }

  async broadcastDecision(decision: Decision): Promise<void> {
    await this.#communicator.put(`decision.${this.#step}`, serializeMessage(decision));
  }

  async receiveDecision(): Promise<Decision> {
    return parseDecision(await this.#communicator.get(0, `decision.${this.#step}`));
  }

  /** Returns a rank's result of this step. */
  async getResult(rank: number): Promise<StepResult> {
    return parseResult(await this.#communicator.get(rank, `result.${this.#step}`));
  }

  /** Returns the results of all ranks. A result that was lost or corrupted counts as a failure. */
  async gatherResults(): Promise<readonly StepResult[]> {
    const results: StepResult[] = [];
    for (let rank = 0; rank < this.#communicator.size; rank++)
      results.push(await this.getResult(rank).catch(lostResult));
    return results;
  }

  /** Returns the results available when a rank is missing; some launchers deliver nothing before the barrier. */
  async reachableResults(own: StepResult): Promise<readonly StepResult[]> {
    return this.#communicator.hasImmediateGet ? this.gatherResults() : [own];
  }
}

/** Returns the result of a step that failed. */
export function toStepFailure(error: Error): StepResult {
  const { code, message, hint } = toGobonnieError(error) ?? {
    code: 'system-call-failed' satisfies ErrorCode,
    message: `internal error (${error.message})`,
    hint: 'please report it',
  };
  return { state: 'failed', code, message, hint };
}

function lostResult(error: Error): StepResult {
  return {
    state: 'failed',
    code: 'rank-failed',
    message: `its result was corrupted in transit (${error.message})`,
    hint: 'run it again, with the same version on all hosts',
  };
}
