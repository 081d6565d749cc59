import type { Report, Warning } from '../report/schema/report.js';
import type { JointMeasurement, OwnMeasurement, PeerGroup } from '../run/peer-group.js';
import { NS_PER_SECOND } from '../text/units.js';
import type { AgreedPlan, DecisionExtras } from './coordinator.js';
import { JobSteps } from './job-steps.js';
import type { Agreement } from './messages.js';
import type { RankInfo } from './rank-info.js';

/** A rank of several processes that measure together. */
export class Job extends JobSteps implements PeerGroup {
  #source: number | null = null;

  get record(): NonNullable<Report['job']> {
    return this.coordinator.record;
  }

  get place() {
    return { rank: this.communicator.rank, ranks: this.communicator.size };
  }

  get source(): number {
    return this.#source ?? this.communicator.rank;
  }

  /** Gathers every rank's info; rank 0 decides and broadcasts the plan. */
  async agreeOnPlan(
    rankInfo: RankInfo,
    decide: (all: readonly RankInfo[]) => AgreedPlan,
  ): Promise<Agreement> {
    const makeExtras: DecisionExtras = (results) => {
      const rankInfos = results.map((result) => result.rankInfo).filter((info) => info !== undefined);
      return { agreement: this.coordinator.makeAgreement(rankInfos, decide) };
    };
    const { decision } = await this.runStep(
      async () => rankInfo,
      () => ({ rankInfo }),
      makeExtras,
    );
    if (!decision?.agreement) throw new Error('rank 0 has decided nothing');
    this.#source = decision.agreement.sources[this.communicator.rank] ?? null;
    return decision.agreement;
  }

  async step<Result>(work: () => Promise<Result>): Promise<Result> {
    const { result } = await this.runStep(work);
    return result;
  }

  async measure(work: () => Promise<OwnMeasurement | null>): Promise<JointMeasurement | null> {
    const describe = (own: OwnMeasurement | null) =>
      own ? { measurement: own.measurement, startedAtSeconds: Number(own.gateNs) / NS_PER_SECOND } : {};
    const { result: own, decision, all } = await this.runStep(work, describe);
    if (!own || !decision) return null;
    return this.coordinator.merge(all) ?? { measurement: own.measurement, rankMeasurements: [] };
  }

  async share(text: string, from: readonly number[]): Promise<readonly string[]> {
    await this.runStep(
      async () => text,
      () => ({ text }),
    );
    const all = await this.getResults(from);
    return all.map((one) => (one.state === 'done' ? (one.text ?? '') : ''));
  }

  async agree(own: boolean, decide: (all: readonly boolean[]) => boolean): Promise<boolean> {
    const { decision } = await this.runStep(
      async () => own,
      () => ({ value: own }),
      (results) => ({ value: decide(results.map(({ value = false }) => value)) }),
    );
    return decision?.value ?? own;
  }

  takeWarnings(): readonly Warning[] {
    return this.coordinator.takeWarnings();
  }
}
