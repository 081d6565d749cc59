import type { Communicator } from '../communicator/communicator.js';
import type { JobPosition } from '../plan/job-position.js';
import type { RankMeasurement } from '../report/measure/merge-ranks.js';
import { minMax } from '../report/measure/min-max.js';
import type { Measurement, Report, Warning } from '../report/schema/report.js';
import type { PeerGroup } from '../run/peer-group.js';
import { NS_PER_SECOND } from '../text/units.js';
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
  #startedAtSeconds: number | undefined;
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
  async agree(rankInfo: RankInfo, decide: (all: readonly RankInfo[]) => AgreedPlan): Promise<Agreement> {
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
    this.record.id = decision.agreement.id;
    const source = decision.agreement.sources[this.#communicator.rank] ?? this.#communicator.rank;
    // Validate even rank 0's decision.
    if (source < this.#communicator.size) this.#source = source;
    return decision.agreement;
  }

  async runTogether<Result>(work: () => Promise<Result>): Promise<Result> {
    const { result } = await this.#runStep(work);
    return result;
  }

  async measureTogether(work: () => Promise<Measurement | null>): Promise<Measurement | null> {
    this.#startedAtSeconds = undefined;
    const describe = (measurement: Measurement | null) => ({
      measurement: measurement ?? undefined,
      startedAtSeconds: this.#startedAtSeconds,
    });
    const { result, decision, all } = await this.#runStep(work, describe);
    if (!decision) return null;
    return this.#coordinator.merge(all) ?? result;
  }

  get place(): JobPosition {
    return { rank: this.#communicator.rank, ranks: this.#communicator.size };
  }

  get source(): number {
    return this.#source;
  }

  useOwnFiles(): void {
    this.#source = this.#communicator.rank;
    this.record.readSource = 'own-not-shared';
  }

  /** Empty after an abort. */
  async allGather(text: string, from: readonly number[]): Promise<readonly string[]> {
    await this.#runStep(
      async () => text,
      () => ({ text }),
    );
    const all = await this.#steps.getResults(from);
    return all.map((one) => (one.state === 'done' ? (one.text ?? '') : ''));
  }

  async allTrue(value: boolean): Promise<boolean> {
    return (await this.min(Number(value))) === 1;
  }

  async min(value: number): Promise<number> {
    const { decision } = await this.#runStep(
      async () => value,
      () => ({ value }),
      (all) => ({ value: minMax(all.map((one) => one.value ?? value)).min }),
    );
    return decision?.value ?? value;
  }

  get rankMeasurements(): readonly RankMeasurement[] {
    return this.#coordinator.parts;
  }

  forwardWarning(warning: Warning): void {
    this.#warnings.push(warning);
  }

  takeWarnings(): readonly Warning[] {
    return this.#coordinator.takeWarnings();
  }

  async broadcast(value: boolean): Promise<boolean> {
    const { decision } = await this.#runStep(
      async () => value,
      () => ({}),
      () => ({ value: Number(value) }),
    );
    const agreed = decision?.value === undefined ? value : decision.value === 1;
    if (agreed) this.#steps.finish();
    return agreed;
  }

  async gate(): Promise<void> {
    await this.#steps.gate();
  }

  recordStart(gateNs: bigint): void {
    this.#startedAtSeconds = Number(gateNs) / NS_PER_SECOND;
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
