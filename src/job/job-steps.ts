import type { Communicator } from '../communicator/communicator.js';
import type { StonewallLimit } from '../run/peer-group.js';
import { Collectives, toStepFailure } from './collectives.js';
import { type Coordinator, type DecisionExtras, decisionError } from './coordinator.js';
import type { ProceedDecision, StepResult, StepSuccess } from './messages.js';

/** How a step ended that all could take. What all have told only rank 0 knows; after an abort nobody decides. */
interface StepOutcome<Result> {
  readonly result: Result;
  readonly decision: ProceedDecision | null;
  readonly all: readonly StepResult[];
}

/** A rank's report of a step that succeeded. */
type DescribeResult<Result> = (result: Result) => Omit<StepSuccess, 'state' | 'barrierTimes'>;

/**
 * The steps that all ranks of a job take. In each they wait for each other at the gate, tell rank 0 how it went, and
 * hear from it whether they go on: so a rank that fails still comes to every wait.
 */
export class JobSteps {
  readonly #communicator: Communicator;
  readonly #coordinator: Coordinator;
  readonly #collectives: Collectives;
  #isPastGate = false;
  /** Of the phase that all take, if they have not agreed yet where --stonewall ends it. */
  #stonewall: StonewallLimit | null = null;
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

  /** Whether some rank did not come, or cannot be reached. */
  get hasLostRank(): boolean {
    return this.#collectives.hasLostRank;
  }

  /** After a signal the others are not waited for, and the launcher must not take the end of this process for a loss. */
  leaveOnAbort(signal: AbortSignal): void {
    this.#collectives.signal = signal;
    signal.addEventListener('abort', () => void this.#communicator.leave());
  }

  /** No more steps are taken. */
  finish(): void {
    this.#isFinished = true;
  }

  async gate(): Promise<void> {
    this.#isPastGate = true;
    await this.#collectives.barrier('gate');
  }

  /** Of all ranks the most steps, in a phase that --stonewall may cut. */
  async maxSteps(steps: number): Promise<number> {
    const stonewall = this.#stonewall;
    if (!stonewall || this.#isAborted) return steps;
    this.#stonewall = null;
    const max = await this.#collectives.guard(() => this.#collectives.max(steps, stonewall.lastSeconds));
    return max ?? steps;
  }

  async run<Result>(
    work: () => Promise<Result>,
    describe: DescribeResult<Result> = () => ({}),
    makeExtras: DecisionExtras = () => ({}),
    stonewall: StonewallLimit | null = null,
  ): Promise<StepOutcome<Result>> {
    this.#collectives.nextStep();
    this.#isPastGate = false;
    this.#stonewall = stonewall;
    const own = await this.#attempt(work, describe);
    const exchanged =
      this.#isAborted || this.hasLostRank
        ? null
        : await this.#exchangeResults(own.stepResult, makeExtras, stonewall);
    if (!exchanged) {
      if ('error' in own) throw own.error;
      return { result: own.result, decision: null, all: [] };
    }
    const { decision, all } = exchanged;
    if (decision.state === 'go' && !('error' in own)) return { result: own.result, decision, all };
    this.#isFinished = true;
    this.#isReported = true;
    if ('error' in own) throw own.error;
    if (decision.state === 'go') throw new Error('a step that failed here went on');
    throw decisionError(decision);
  }

  /** What these ranks have told in this step. Nothing after an abort. */
  async getResults(ranks: readonly number[]): Promise<readonly StepResult[]> {
    const results = await this.#collectives.guard(async () => {
      const all: StepResult[] = [];
      for (const rank of this.#isAborted ? [] : ranks) all.push(await this.#collectives.getResult(rank));
      return all;
    });
    return results ?? [];
  }

  /** Reports a failure outside all steps: the other ranks receive it in their next step. */
  async fail(error: unknown): Promise<void> {
    if (this.#isFinished || this.#isAborted) return;
    await this.run(() => Promise.reject(error)).catch(() => {});
  }

  /** Null after an abort, when the others are no longer heard. */
  async #exchangeResults(own: StepResult, makeExtras: DecisionExtras, stonewall: StonewallLimit | null) {
    const [collectives, isFirst] = [this.#collectives, this.#communicator.rank === 0];
    try {
      return await collectives.guard(async () => {
        await collectives.sendResult(own);
        await collectives.barrier('end', stonewall?.lastSeconds);
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

  /** Also after a failure it comes to all places where the others wait. */
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
    await this.maxSteps(0);
  }

  get #isAborted(): boolean {
    return this.#collectives.signal.aborted;
  }
}
