import type { JobPosition } from '../plan/job-position.js';
import type { Report, Warning } from '../report/schema/report.js';
import type { JointMeasurement, OwnMeasurement, PeerGroup } from '../run/peer-group.js';
import { NS_PER_SECOND } from '../text/units.js';
import type { Communicator } from './communicator.js';
import { type AgreedPlan, Coordinator, type DecisionExtras } from './coordinator.js';
import { JobSteps } from './job-steps.js';
import { type Agreement, MAX_WARNINGS, type StepSuccess } from './messages.js';
import type { RankInfo } from './rank-info.js';

/** A rank of several processes that measure together. */
export class Job implements PeerGroup {
  readonly #communicator: Communicator;
  readonly #steps: JobSteps;
  /** Only rank 0 uses it. */
  readonly #coordinator: Coordinator;
  #source: number;
  /** Warnings that rank 0 has not received yet. */
  readonly #warnings: Warning[] = [];

  constructor(communicator: Communicator) {
    this.#communicator = communicator;
    this.#coordinator = new Coordinator(communicator);
    this.#steps = new JobSteps(communicator, this.#coordinator);
    this.#source = communicator.rank;
  }

  /** How long to wait for the other ranks. */
  set timeoutSeconds(seconds: number) {
    this.#steps.timeoutSeconds = seconds;
  }

  get record(): NonNullable<Report['job']> {
    return this.#coordinator.record;
  }

  /** True for rank 0, which prints for all ranks. */
  get isFirst(): boolean {
    return this.#communicator.rank === 0;
  }

  /** True if all ranks have received the outcome, so only rank 0 has to report it. */
  get isReported(): boolean {
    return this.#steps.isReported;
  }

  /** After a signal, don't wait for the other ranks, and finalize so the launcher doesn't report a crash. */
  leaveOnAbort(signal: AbortSignal): void {
    this.#steps.leaveOnAbort(signal);
  }

  /** Gathers every rank's info; rank 0 decides and broadcasts the plan. */
  async agreeOnPlan(
    rankInfo: RankInfo,
    decide: (all: readonly RankInfo[]) => AgreedPlan,
  ): Promise<Agreement> {
    const makeExtras = (results: readonly StepSuccess[]) => {
      const rankInfos = results.map((result) => result.rankInfo).filter((info) => info !== undefined);
      return { agreement: this.#coordinator.makeAgreement(rankInfos, decide) };
    };
    const { decision } = await this.#runStep(
      async () => rankInfo,
      () => ({ rankInfo }),
      makeExtras,
    );
    if (!decision?.agreement) throw new Error('rank 0 has decided nothing');
    const source = decision.agreement.sources[this.#communicator.rank] ?? this.#communicator.rank;
    // Validate even rank 0's decision.
    if (source < this.#communicator.size) this.#source = source;
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

  get place(): JobPosition {
    return { rank: this.#communicator.rank, ranks: this.#communicator.size };
  }

  get source(): number {
    return this.#source;
  }

  async share(text: string, from: readonly number[]): Promise<readonly string[]> {
    await this.#runStep(
      async () => text,
      () => ({ text }),
    );
    const all = await this.#steps.getResults(from);
    return all.map((one) => (one.state === 'done' ? (one.text ?? '') : ''));
  }

  async agree<Value extends number | boolean>(
    own: Value,
    decide: (all: readonly Value[]) => Value,
  ): Promise<Value> {
    const hasSameType = (value: unknown): value is Value => typeof value === typeof own;
    const { decision } = await this.#runStep(
      async () => own,
      () => ({ value: own }),
      (results) => ({ value: decide(results.map(({ value }) => value).filter(hasSameType)) }),
    );
    return hasSameType(decision?.value) ? decision.value : own;
  }

  finish(): void {
    this.#steps.finish();
  }

  forwardWarning(warning: Warning): void {
    this.#warnings.push(warning);
  }

  takeWarnings(): readonly Warning[] {
    return this.#coordinator.takeWarnings();
  }

  async gate(): Promise<void> {
    await this.#steps.gate();
  }

  /** Reports a failure outside all steps: the other ranks receive it in their next step. */
  async fail(error: unknown): Promise<void> {
    await this.#steps.fail(error);
  }

  /** Call last. The launcher kills ranks that never arrived. */
  async leave(exitCode: number): Promise<void> {
    this.#steps.finish();
    if (this.#steps.hasLostRank) await this.#communicator.abort(exitCode);
    else await this.#communicator.leave();
  }

  async #runStep<Result>(
    work: () => Promise<Result>,
    describe: (result: Result) => Omit<StepSuccess, 'state' | 'barrierTimes' | 'warnings'> = () => ({}),
    makeExtras?: DecisionExtras,
  ) {
    const describeWithWarnings = (result: Result) => ({
      warnings: this.#warnings.splice(0, MAX_WARNINGS),
      ...describe(result),
    });
    return this.#steps.run(work, describeWithWarnings, makeExtras);
  }
}
