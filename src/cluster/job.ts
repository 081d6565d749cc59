import { GobonnieError } from '../errors.js';
import { optionCatalogue } from '../options/option-catalogue.js';
import type { Report, Warning } from '../report/schema/report.js';
import type { JointMeasurement, OwnMeasurement, PeerGroup } from '../run/peer-group.js';
import { MS_PER_SECOND, NS_PER_SECOND } from '../text/units.js';
import { type BarrierTimes, monotonicSeconds } from './clock.js';
import type { Communicator } from './communicator.js';
import { Coordinator, type DecisionExtras, type PlanDecision } from './coordinator.js';
import {
  type Agreement,
  decisionSchema,
  lostResult,
  type StepResult,
  type StepSuccess,
  serializeMessage,
  stepResultSchema,
  toStepFailure,
} from './messages.js';
import type { RankInfo } from './rank-info.js';

/** The fields of a successful step's result that depend on the step. */
type ResultFields = Omit<StepSuccess, 'state' | 'barrierTimes' | 'warnings'>;

/**
 * A rank of several processes that measure together in steps. In each step, the ranks wait for each other at the gate,
 * send their results to rank 0, and receive its decision to continue or stop. Even a rank that fails enters every barrier.
 */
export class Job implements PeerGroup {
  /** How long to wait for the other ranks. */
  timeoutSeconds: number = optionCatalogue.barrierTimeout.default;
  readonly place: { readonly rank: number; readonly ranks: number };
  /** True for rank 0, which prints for all ranks. */
  readonly isFirst: boolean;
  readonly record: NonNullable<Report['job']>;
  source: number;
  /** True if all ranks have received the outcome, so only rank 0 has to report it. */
  isReported = false;
  readonly #communicator: Communicator;
  /** Only rank 0 uses it. */
  readonly #coordinator: Coordinator;
  /** Aborting it ends all barriers. */
  #signal: AbortSignal = new AbortController().signal;
  #step = 0;
  /** The barriers since the last result. */
  #barrierTimes: BarrierTimes[] = [];
  /** Warnings that rank 0 has not received yet. */
  #warnings: Warning[] = [];
  #isPastGate = false;
  #isFinished = false;
  /** True if a rank missed a barrier, or cannot be reached. */
  #hasLostRank = false;

  constructor(communicator: Communicator) {
    this.#communicator = communicator;
    this.#coordinator = new Coordinator(communicator.size);
    this.place = { rank: communicator.rank, ranks: communicator.size };
    this.isFirst = communicator.rank === 0;
    this.record = this.#coordinator.record;
    this.source = communicator.rank;
  }

  /** After a signal, don't wait for the other ranks, and finalize so the launcher doesn't report a crash. */
  leaveOnAbort(signal: AbortSignal): void {
    this.#signal = signal;
    // If it fails, `leave` reports that.
    signal.addEventListener('abort', () => void this.#communicator.leave().catch(() => {}));
  }

  /** Gathers every rank's info; rank 0 decides and broadcasts the plan. */
  async agreeOnPlan(rankInfo: RankInfo, decide: PlanDecision): Promise<Agreement> {
    const makeExtras: DecisionExtras = (results) => {
      const rankInfos = results.map((result) => result.rankInfo).filter((info) => info !== undefined);
      return { agreement: this.#coordinator.makeAgreement(rankInfos, decide) };
    };
    const { decision } = await this.#send({ rankInfo }, makeExtras);
    if (!decision?.agreement) throw new Error('rank 0 has decided nothing');
    this.source = decision.agreement.sources[this.place.rank] ?? this.source;
    return decision.agreement;
  }

  async step<Result>(work: () => Promise<Result>): Promise<Result> {
    const { result } = await this.#runStep(work);
    return result;
  }

  async measure(work: () => Promise<OwnMeasurement | null>): Promise<JointMeasurement | null> {
    const describe = (own: OwnMeasurement | null) =>
      own ? { measurement: own.measurement, startedAtSeconds: Number(own.gateNs) / NS_PER_SECOND } : {};
    const { result: own, decision, all } = await this.#runStep(work, describe);
    if (!own || !decision) return null;
    return this.#coordinator.merge(all) ?? { measurement: own.measurement, rankMeasurements: [] };
  }

  async agree(own: boolean, decide: (all: readonly boolean[]) => boolean): Promise<boolean> {
    const { decision } = await this.#send({ value: own }, (results) => ({
      value: decide(results.map(({ value = false }) => value)),
    }));
    return decision?.value ?? own;
  }

  async share(text: string, from: readonly number[]): Promise<readonly string[]> {
    await this.#send({ text });
    if (this.#signal.aborted) return [];
    const texts = await this.#guard(async () => {
      const results: StepResult[] = [];
      for (const rank of from) results.push(await this.#getResult(rank));
      return results.map((result) => (result.state === 'done' ? (result.text ?? '') : ''));
    });
    return texts ?? [];
  }

  /** Call once within a step: resolves when all ranks have reached the gate. */
  async gate(): Promise<void> {
    this.#isPastGate = true;
    await this.#guard(() => this.#barrier());
  }

  forwardWarning(warning: Warning): void {
    this.#warnings.push(warning);
  }

  takeWarnings(): readonly Warning[] {
    return this.#coordinator.takeWarnings();
  }

  /** No steps follow, so `fail` does nothing. */
  finish(): void {
    this.#isFinished = true;
  }

  /** Reports a failure outside all steps: the other ranks receive it in their next step. */
  async fail(error: unknown): Promise<void> {
    if (this.#isFinished || this.#signal.aborted) return;
    await this.#runStep(() => Promise.reject(error)).catch(() => {});
  }

  /** Call last. The launcher kills ranks that never arrived. */
  async leave(exitCode: number): Promise<void> {
    this.finish();
    if (this.#hasLostRank) await this.#communicator.abort(exitCode);
    else await this.#communicator.leave();
  }

  /** A step without work, which only sends fields of its result. */
  #send(fields: ResultFields, makeExtras?: DecisionExtras) {
    const work = async () => fields;
    return this.#runStep(work, (own) => own, makeExtras);
  }

  /** Returns the results of all ranks on rank 0 only, and no decision after an abort. */
  async #runStep<Result>(
    work: () => Promise<Result>,
    describe: (result: Result) => ResultFields = () => ({}),
    makeExtras: DecisionExtras = () => ({}),
  ) {
    this.#step += 1;
    this.#isPastGate = false;
    const own = await this.#attempt(work, describe);
    const exchanged =
      this.#signal.aborted || this.#hasLostRank ? null : await this.#exchange(own.stepResult, makeExtras);
    if (exchanged && (own.stepResult.state === 'failed' || exchanged.decision.state === 'failed')) {
      this.#isFinished = true;
      this.isReported = true;
    }
    if ('error' in own) throw own.error;
    const { result } = own;
    if (!exchanged) return { result, decision: null, all: [] };
    const { decision, all } = exchanged;
    if (decision.state === 'failed') throw new GobonnieError(decision.code, decision.message, decision.hint);
    return { result, decision, all };
  }

  /** Enters every barrier even after a failure, so the other ranks don't hang. */
  async #attempt<Result>(
    work: () => Promise<Result>,
    describe: (result: Result) => ResultFields,
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
    const communicator = this.#communicator;
    const coordinator = this.#coordinator;
    const decisionName = `decision.${this.#step}`;
    try {
      return await this.#guard(async () => {
        await communicator.put(`result.${this.#step}`, serializeMessage(own));
        await this.#barrier();
        const all = this.isFirst ? await this.#gatherResults() : [];
        if (this.isFirst)
          await communicator.put(decisionName, serializeMessage(coordinator.decide(all, makeExtras)));
        await this.#barrier();
        const decision = decisionSchema.parse(JSON.parse(await communicator.get(0, decisionName)));
        return { decision, all };
      });
    } catch (error) {
      // Some launchers deliver nothing before the barrier.
      if (this.isFirst)
        coordinator.recordIncomplete(communicator.hasImmediateGet ? await this.#gatherResults() : [own]);
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
  async #barrier(): Promise<void> {
    const entered = monotonicSeconds();
    const deadline = AbortSignal.timeout(this.timeoutSeconds * MS_PER_SECOND);
    try {
      await this.#communicator.barrier(AbortSignal.any([this.#signal, deadline]));
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
    return stepResultSchema.parse(JSON.parse(await this.#communicator.get(rank, `result.${this.#step}`)));
  }

  /** Returns the results of all ranks. A result that was lost or corrupted counts as a failure. */
  async #gatherResults(): Promise<readonly StepResult[]> {
    const results: StepResult[] = [];
    for (let rank = 0; rank < this.#communicator.size; rank++)
      results.push(await this.#getResult(rank).catch(lostResult));
    return results;
  }
}
