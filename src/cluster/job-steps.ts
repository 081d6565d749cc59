import { Collectives, toStepFailure } from './collectives.js';
import type { Communicator } from './communicator.js';
import { type Coordinator, type DecisionExtras, decisionError } from './coordinator.js';
import type { ProceedDecision, StepResult, StepSuccess } from './messages.js';

/** Outcome of a successful step. Only rank 0 has every result; after an abort there is no decision. */
interface StepOutcome<Result> {
  readonly result: Result;
  readonly decision: ProceedDecision | null;
  readonly all: readonly StepResult[];
}

/** Returns the fields of a successful step's result. */
type DescribeResult<Result> = (result: Result) => Omit<StepSuccess, 'state' | 'barrierTimes'>;

/**
 * The steps that all ranks of a job take. In each step, they wait for each other at the gate, send their results to
 * rank 0, and receive its decision to continue or stop. Even a rank that fails enters every barrier.
 */
export class JobSteps {
  readonly #communicator: Communicator;
  readonly #coordinator: Coordinator;
  readonly #collectives: Collectives;
  #isPastGate = false;
  #isFinished = false;
  #isReported = false;

  constructor(communicator: Communicator, coordinator: Coordinator) {
    this.#communicator = communicator;
    this.#coordinator = coordinator;
    this.#collectives = new Collectives(communicator);
  }

  /** How long to wait for the other ranks. */
  set timeoutSeconds(seconds: number) {
    this.#collectives.timeoutSeconds = seconds;
  }

  /** True if all ranks have received the outcome, so only rank 0 has to report it. */
  get isReported(): boolean {
    return this.#isReported;
  }

  /** True if a rank missed a barrier, or cannot be reached. */
  get hasLostRank(): boolean {
    return this.#collectives.hasLostRank;
  }

  /** After a signal, don't wait for the other ranks, and finalize so the launcher doesn't report a crash. */
  leaveOnAbort(signal: AbortSignal): void {
    this.#collectives.signal = signal;
    // If it fails, `Job.leave` reports that.
    signal.addEventListener('abort', () => void this.#communicator.leave().catch(() => {}));
  }

  /** No steps follow, so `fail` does nothing. */
  finish(): void {
    this.#isFinished = true;
  }

  async gate(): Promise<void> {
    this.#isPastGate = true;
    await this.#collectives.barrier('gate');
  }

  async run<Result>(
    work: () => Promise<Result>,
    describe: DescribeResult<Result> = () => ({}),
    makeExtras: DecisionExtras = () => ({}),
  ): Promise<StepOutcome<Result>> {
    this.#collectives.nextStep();
    this.#isPastGate = false;
    const own = await this.#attempt(work, describe);
    const exchanged =
      this.#isAborted || this.hasLostRank ? null : await this.#exchangeResults(own.stepResult, makeExtras);
    if (!exchanged) {
      if ('error' in own) throw own.error;
      return { result: own.result, decision: null, all: [] };
    }
    const { decision, all } = exchanged;
    if (decision.state === 'go' && !('error' in own)) return { result: own.result, decision, all };
    this.#isFinished = true;
    this.#isReported = true;
    if ('error' in own) throw own.error;
    if (decision.state === 'go') throw new Error('rank 0 continued after a step that failed here');
    throw decisionError(decision);
  }

  /** Returns these ranks' results of this step. Empty after an abort. */
  async getResults(ranks: readonly number[]): Promise<readonly StepResult[]> {
    const results: StepResult[] = [];
    const completed = await this.#collectives.guard(async () => {
      for (const rank of this.#isAborted ? [] : ranks) results.push(await this.#collectives.getResult(rank));
      return results;
    });
    return completed ?? [];
  }

  /** Reports a failure outside all steps: the other ranks receive it in their next step. */
  async fail(error: unknown): Promise<void> {
    if (this.#isFinished || this.#isAborted) return;
    await this.run(() => Promise.reject(error)).catch(() => {});
  }

  /** Null after an abort. */
  async #exchangeResults(own: StepResult, makeExtras: DecisionExtras) {
    const collectives = this.#collectives;
    const isFirst = this.#communicator.rank === 0;
    try {
      return await collectives.guard(async () => {
        await collectives.sendResult(own);
        await collectives.barrier('end');
        const all = isFirst ? await collectives.gatherResults() : [];
        if (isFirst) await collectives.broadcastDecision(this.#coordinator.decide(all, makeExtras));
        await collectives.barrier('decision');
        return {
          decision: await collectives.receiveDecision(),
          all: all.filter((one) => one.state === 'done'),
        };
      });
    } catch (error) {
      if (isFirst) this.#coordinator.recordIncomplete(await collectives.reachableResults(own));
      throw error;
    }
  }

  /** Enters every barrier even after a failure, so the other ranks don't hang. */
  async #attempt<Result>(
    work: () => Promise<Result>,
    describe: DescribeResult<Result>,
  ): Promise<{ result: Result; stepResult: StepResult } | { error: unknown; stepResult: StepResult }> {
    try {
      const result = await work();
      await this.#enterRemainingBarriers();
      return {
        result,
        stepResult: {
          state: 'done',
          barrierTimes: this.#collectives.takeBarrierTimes(),
          ...describe(result),
        },
      };
    } catch (error) {
      if (!this.hasLostRank) await this.#enterRemainingBarriers();
      return { error, stepResult: toStepFailure(error as Error) };
    }
  }

  async #enterRemainingBarriers(): Promise<void> {
    if (!this.#isPastGate && !this.#isAborted) await this.gate();
  }

  get #isAborted(): boolean {
    return this.#collectives.signal.aborted;
  }
}
