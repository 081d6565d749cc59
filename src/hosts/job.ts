import { GobonnieError } from '../errors.js';
import { optionCatalogue } from '../options/option-catalogue.js';
import type { Report, Warning } from '../report/schema/report.js';
import type { OwnMeasurement, PeerGroup, PeerMeasurement, SharedDirectories } from '../run/peer-group.js';
import { MS_PER_SECOND, NS_PER_SECOND } from '../text/units.js';
import { measurementWarnings } from '../warnings/measurement-warnings.js';
import type { Communicator } from './communicator.js';
import { Coordinator, type MakeDecision, type PlanDecision } from './coordinator.js';
import {
  type Agreement,
  type BarrierTimes,
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
type ResultFields = Partial<Omit<StepSuccess, 'state' | 'barrierTimes'>>;

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
  /** True if all ranks have received the outcome, so only rank 0 has to report it. */
  isReported = false;
  readonly #communicator: Communicator;
  /** Only rank 0 uses it. */
  readonly #coordinator: Coordinator;
  /** Aborting it ends all barriers. */
  #signal: AbortSignal = new AbortController().signal;
  #step = 0;
  /** The rank whose files this one uses. */
  #source: number;
  /** The barriers since the last result. */
  #barrierTimes: BarrierTimes[] = [];
  /** How many of this rank's warnings rank 0 has received. */
  #sentWarnings = 0;
  #isPastGate = false;
  /** True if no steps follow. */
  #isFinished = false;
  /** True if a rank missed a barrier, or cannot be reached. */
  #hasLostRank = false;
  #leaving: Promise<void> | null = null;

  constructor(communicator: Communicator) {
    this.#communicator = communicator;
    this.#coordinator = new Coordinator(communicator.size);
    this.place = { rank: communicator.rank, ranks: communicator.size };
    this.isFirst = communicator.rank === 0;
    this.record = this.#coordinator.record;
    this.#source = communicator.rank;
  }

  /** After a signal, don't wait for the other ranks, and finalize so the launcher doesn't report a crash. */
  leaveOnAbort(signal: AbortSignal): void {
    this.#signal = signal;
    // If it fails, `leave` reports that.
    signal.addEventListener('abort', () => void this.#leaveOnce().catch(() => {}));
  }

  /** Gathers every rank's info; rank 0 decides and broadcasts the amounts of the plan. */
  async agreeOnPlan(rankInfo: RankInfo, decide: PlanDecision): Promise<Agreement> {
    const { decision } = await this.#runStep(
      async () => ({ rankInfo }),
      (results) => {
        const rankInfos = results.map((result) => result.rankInfo).filter((info) => info !== undefined);
        return { agreement: this.#coordinator.makeAgreement(rankInfos, decide) };
      },
    );
    const agreement = decision?.agreement;
    if (!agreement) throw new Error('rank 0 has decided nothing');
    this.#source = agreement.sources[this.place.rank] ?? this.#source;
    return agreement;
  }

  async shareDirectory(directory: string, areVisible: (names: readonly string[]) => boolean) {
    const { decision } = await this.#runStep(
      async () => ({ directory }),
      (results) => ({ isShared: areVisible(results.map((result) => result.directory ?? '')) }),
    );
    if (!decision) return null;
    if (!decision.isShared) {
      if (this.record.readSource === 'next-host') this.record.readSource = 'own-not-shared';
      return null;
    }
    return this.#guard<SharedDirectories>(async () => {
      const { directory: firstName = '' } = await this.#getSuccess(0);
      const { directory: sourceName = '' } = await this.#getSuccess(this.#source);
      return { firstName, source: this.#source, sourceName };
    });
  }

  async step(work: () => Promise<void>): Promise<void> {
    await this.#runStep(async () => {
      await work();
      return {};
    });
  }

  async measure(
    work: () => Promise<OwnMeasurement | null>,
    allWarnings: readonly Warning[] = [],
  ): Promise<PeerMeasurement | null> {
    const { result, decision, all } = await this.#runStep(async () => {
      const own = await work();
      const warnings = allWarnings.slice(this.#sentWarnings);
      this.#sentWarnings = allWarnings.length;
      return {
        ...(own && {
          measurement: own.measurement,
          created: own.created,
          startedAtSeconds: toSeconds(own.gateNs),
        }),
        // Rank 0 derives measurement warnings from the merged result.
        warnings: warnings.filter(({ code }) => !Object.hasOwn(measurementWarnings, code)),
      };
    });
    const { measurement, created } = result;
    if (!measurement || !decision) return null;
    const merged = this.#coordinator.merge(all) ?? { measurement, rankMeasurements: [], warnings: [] };
    const source = created ? await this.#guard(() => this.#getSuccess(this.#source)) : null;
    return { ...merged, sourceCreated: source?.created };
  }

  async gate(): Promise<void> {
    this.#isPastGate = true;
    await this.#guard(() => this.#barrier());
  }

  async finish(): Promise<void> {
    await this.step(async () => {});
    this.#isFinished = true;
  }

  /** Reports a failure outside all steps: the other ranks receive it in their next step. */
  async fail(error: unknown): Promise<void> {
    if (this.isReported || this.#isFinished || this.#signal.aborted) return;
    await this.step(() => Promise.reject(error)).catch(() => {});
  }

  /** Call last. The launcher kills ranks that never arrived. */
  async leave(exitCode: number): Promise<void> {
    if (this.#hasLostRank) await this.#communicator.abort(exitCode);
    else await this.#leaveOnce();
  }

  #leaveOnce(): Promise<void> {
    this.#leaving ??= this.#communicator.leave();
    return this.#leaving;
  }

  /** Returns the results of all ranks on rank 0 only, and no decision after an abort. */
  async #runStep(work: () => Promise<ResultFields>, makeDecision: MakeDecision = () => ({})) {
    this.#step += 1;
    this.#isPastGate = false;
    const { result, error } = await this.#attempt(work);
    const isAlone = this.#signal.aborted || this.#hasLostRank;
    const exchange = isAlone ? null : await this.#exchange(result, makeDecision);
    const { decision = null, all = [] } = exchange ?? {};
    // A rank that fails also receives a failure as decision.
    if (decision?.state === 'failed') this.isReported = true;
    if (result.state === 'failed') throw error;
    if (decision?.state === 'failed') throw new GobonnieError(decision.code, decision.message, decision.hint);
    return { result, decision, all };
  }

  /** Enters every barrier even after a failure, so the other ranks don't hang. */
  async #attempt(work: () => Promise<ResultFields>): Promise<{ result: StepResult; error: unknown }> {
    try {
      const fields = await work();
      await this.#enterGate();
      const barrierTimes = this.#barrierTimes.splice(0);
      return { result: { state: 'done', warnings: [], ...fields, barrierTimes }, error: null };
    } catch (error) {
      if (!this.#hasLostRank) await this.#enterGate();
      return { result: toStepFailure(error as Error), error };
    }
  }

  async #enterGate(): Promise<void> {
    if (!this.#isPastGate && !this.#signal.aborted) await this.gate();
  }

  /** Sends this rank's result, and returns the decision. Null after an abort. */
  async #exchange(own: StepResult, makeDecision: MakeDecision) {
    const communicator = this.#communicator;
    const coordinator = this.#coordinator;
    const decisionName = `decision.${this.#step}`;
    try {
      return await this.#guard(async () => {
        await communicator.put(`result.${this.#step}`, serializeMessage(own));
        await this.#barrier();
        const all = this.isFirst ? await this.#gatherResults() : [];
        if (this.isFirst)
          await communicator.put(decisionName, serializeMessage(coordinator.decide(all, makeDecision)));
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
    const entered = toSeconds(process.hrtime.bigint());
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
    this.#barrierTimes.push({ entered, left: toSeconds(process.hrtime.bigint()) });
  }

  async #getResult(rank: number): Promise<StepResult> {
    return stepResultSchema.parse(JSON.parse(await this.#communicator.get(rank, `result.${this.#step}`)));
  }

  /** Returns the result of a rank after the decision to continue. */
  async #getSuccess(rank: number): Promise<Partial<StepSuccess>> {
    const result = await this.#getResult(rank);
    return result.state === 'done' ? result : {};
  }

  /** Returns the results of all ranks. A result that was lost or corrupted counts as a failure. */
  async #gatherResults(): Promise<readonly StepResult[]> {
    const results: StepResult[] = [];
    for (let rank = 0; rank < this.#communicator.size; rank++)
      results.push(await this.#getResult(rank).catch(lostResult));
    return results;
  }
}

function toSeconds(ns: bigint): number {
  return Number(ns) / NS_PER_SECOND;
}
