import { mergeRanks, type RankMeasurement } from '../report/measure/merge-ranks.js';
import type { Report, Warning } from '../report/schema/report.js';
import { minMax } from '../report/statistics/statistics.js';
import type { JointMeasurement } from '../run/peer-group.js';
import { display } from '../text/escape.js';
import { groupBy } from '../text/group-by.js';
import { pluralize } from '../text/units.js';
import { limitToHosts } from '../warnings/host-warnings.js';
import { warningKey } from '../warnings/warning-catalogue.js';
import { type BarrierTimes, type ClockOffset, estimateClockOffset } from './clock.js';
import type { Communicator } from './communicator.js';
import {
  type Agreement,
  type Decision,
  type ProceedDecision,
  type StepResult,
  type StepSuccess,
  toStepFailure,
} from './messages.js';
import { assignSources, groupByHost, type RankInfo, rejectUnlike } from './rank-info.js';

/** Clocks drift, so older barriers no longer bound the offset. */
const MAX_BARRIER_TIMES = 100;

const SAME_CLOCK: ClockOffset = { seconds: 0, errorSeconds: 0 };

/** Extra fields of the decision when every rank succeeded. */
export type DecisionExtras = (results: readonly StepSuccess[]) => Omit<ProceedDecision, 'state'>;

/** The part of the agreement that depends on the plan. */
export type AgreedPlan = Omit<Agreement, 'sources'>;

/** Rank 0's part of a job: collects the results of all ranks and decides for them. */
export class Coordinator {
  readonly record: NonNullable<Report['job']>;
  readonly #warnings: Warning[] = [];
  #rankInfos: readonly RankInfo[] = [];
  /** The latest barriers of each rank, in the same order for all ranks. */
  readonly #barrierTimes: BarrierTimes[][];

  constructor({ size }: Pick<Communicator, 'size'>) {
    this.record = { ranks: size, hosts: [] };
    this.#barrierTimes = Array.from({ length: size }, () => []);
  }

  /** Returns the job's options and read sources. Throws if a rank's version or options differ. */
  makeAgreement(ranks: readonly RankInfo[], decide: (results: readonly RankInfo[]) => AgreedPlan): Agreement {
    this.#rankInfos = ranks;
    rejectUnlike(ranks);
    const hosts = groupByHost(ranks);
    const isShifted = hosts.length > 1 && ranks[0]?.options.readOwnFiles !== true;
    this.record.hosts = hosts;
    this.record.readSource = isShifted
      ? 'next-host'
      : hosts.length === 1
        ? 'own-single-host'
        : 'own-requested';
    return {
      ...decide(ranks),
      sources: isShifted ? [...assignSources(ranks)] : [...ranks.keys()],
    };
  }

  /** Returns the decision to continue, or to stop with the first failure; then it records the other measurements. */
  decide(results: readonly StepResult[], makeExtras: DecisionExtras): Decision {
    this.#recordBarrierTimes(results);
    this.#recordWarnings(results);
    const failures = [];
    for (const [rank, result] of results.entries())
      if (result.state === 'failed') failures.push({ ...result, rank });
    const [first, ...others] = failures;
    if (!first)
      try {
        return { state: 'go', ...makeExtras(results.filter((one) => one.state === 'done')) };
      } catch (error) {
        return toStepFailure(error as Error);
      }
    this.recordIncomplete(results);
    const rest = others.length > 0 ? ` (and ${pluralize(others.length, 'other rank')})` : '';
    return { ...first, message: `${this.#rankName(first.rank)}${rest}: ${first.message}` };
  }

  /** Records the measurements of a phase that has no result, because some rank failed. */
  recordIncomplete(results: readonly StepResult[]): void {
    const merged = this.merge(results);
    if (!merged) return;
    const { step, title, primaryRate, ranks = [] } = merged.measurement;
    this.record.failedStep = { step, title, primaryRate, ranks };
  }

  /** Merges the ranks' measurements. Null if no rank has measured. */
  merge(results: readonly StepResult[]): JointMeasurement | null {
    // Computed once, because it takes O(barriers so far) per rank.
    const clockOffsets = results.map((_, rank) => this.#clockOffset(rank));
    const [first, ...others] = this.#rankMeasurements(results, clockOffsets);
    if (!first) return null;
    const rankMeasurements = [first, ...others] as const;
    const measurement = {
      ...mergeRanks(rankMeasurements),
      barrierSeconds: barrierSeconds(results, clockOffsets),
    };
    return { measurement, rankMeasurements };
  }

  /** Returns the other ranks' warnings since the last call. */
  takeWarnings(): readonly Warning[] {
    return this.#warnings.splice(0);
  }

  /** Records each warning once, with its hosts. Rank 0 already has its own warnings. */
  #recordWarnings(results: readonly StepResult[]): void {
    const received: { warning: Warning; host: string }[] = [];
    for (const [rank, result] of results.entries()) {
      if (rank === 0 || result.state === 'failed') continue;
      const host = this.#rankInfos[rank]?.host ?? '';
      for (const warning of result.warnings) received.push({ warning, host });
    }
    for (const group of groupBy(received, ({ warning }) => warningKey(warning))) {
      const [{ warning }] = group;
      this.#warnings.push(limitToHosts(warning, [...new Set(group.map(({ host }) => host))]));
    }
  }

  #recordBarrierTimes(results: readonly StepResult[]): void {
    for (const [rank, result] of results.entries())
      if (result.state === 'done') this.#barrierTimes[rank]?.push(...result.barrierTimes);
    for (const barrierTimes of this.#barrierTimes)
      barrierTimes.splice(0, barrierTimes.length - MAX_BARRIER_TIMES);
  }

  #rankName(rank: number): string {
    const host = this.#rankInfos[rank]?.host;
    return `rank ${rank}${host === undefined ? '' : ` on ${display(host)}`}`;
  }

  /** Returns the measurements on one time scale, on which the first rank starts at 0. */
  #rankMeasurements(
    results: readonly StepResult[],
    clockOffsets: readonly ClockOffset[],
  ): readonly RankMeasurement[] {
    const parts: RankMeasurement[] = [];
    for (const [rank, result] of results.entries()) {
      if (result.state !== 'done' || !result.measurement) continue;
      const { measurement, startedAtSeconds = 0 } = result;
      const { seconds, errorSeconds } = clockOffsets[rank] ?? SAME_CLOCK;
      const host = this.#rankInfos[rank]?.host ?? '';
      const startOffsetSeconds = startedAtSeconds - seconds;
      parts.push({ rank, host, measurement, startOffsetSeconds, startOffsetErrorSeconds: errorSeconds });
    }
    const { min: first } = minMax(parts.map(({ startOffsetSeconds }) => startOffsetSeconds));
    return parts.map((part) => ({ ...part, startOffsetSeconds: part.startOffsetSeconds - first }));
  }

  /** Returns the offset of a rank's clock relative to rank 0's clock. Processes of the same boot share a clock. */
  #clockOffset(rank: number): ClockOffset {
    const own = this.#barrierTimes[rank] ?? [];
    const first = this.#barrierTimes[0] ?? [];
    const isSameClock = this.#rankInfos[rank]?.boot === this.#rankInfos[0]?.boot;
    return (isSameClock ? null : estimateClockOffset(own, first)) ?? SAME_CLOCK;
  }
}

/** Returns the duration of the gate barrier, the last one before the phase. */
function barrierSeconds(results: readonly StepResult[], clockOffsets: readonly ClockOffset[]): number {
  const gates: BarrierTimes[] = [];
  for (const [rank, result] of results.entries()) {
    const gate = result.state === 'done' ? result.barrierTimes.at(-1) : undefined;
    const { seconds } = clockOffsets[rank] ?? SAME_CLOCK;
    if (gate) gates.push({ entered: gate.entered - seconds, left: gate.left - seconds });
  }
  const { max: entered } = minMax(gates.map((gate) => gate.entered));
  const { max: left } = minMax(gates.map((gate) => gate.left));
  return Math.max(0, left - entered);
}
