import { mergeRanks, type RankMeasurement } from '../report/measure/merge-ranks.js';
import type { Report, Warning } from '../report/schema/report.js';
import { minMax } from '../report/statistics/statistics.js';
import type { PeerMeasurement } from '../run/peer-group.js';
import { display } from '../text/escape.js';
import { groupBy } from '../text/group-by.js';
import { pluralize } from '../text/units.js';
import { limitToHosts } from '../warnings/run-warnings.js';
import { warningKey } from '../warnings/warning-catalogue.js';
import {
  type Agreement,
  type BarrierTimes,
  type Decision,
  type DecisionFields,
  type StepResult,
  type StepSuccess,
  toStepFailure,
} from './messages.js';
import { assignSources, groupByHost, type RankInfo, rejectUnlike } from './rank-info.js';

/** Clocks drift, so older barriers no longer bound the offset. */
const MAX_BARRIER_TIMES = 100;

const SAME_CLOCK = { seconds: 0, errorSeconds: 0 };

/** Returns the fields of the decision when every rank succeeded. */
export type MakeDecision = (results: readonly StepSuccess[]) => DecisionFields;

/** Returns the part of the agreement that depends on the plan. */
export type PlanDecision = (ranks: readonly RankInfo[]) => Omit<Agreement, 'sources'>;

/** Rank 0's part of a job: collects the results of all ranks and decides for them. */
export class Coordinator {
  readonly record: NonNullable<Report['job']>;
  #rankInfos: readonly RankInfo[] = [];
  /** The latest barriers of each rank, in the same order for all ranks. */
  readonly #barrierTimes: BarrierTimes[][];

  constructor(size: number) {
    this.record = { ranks: size, hosts: [] };
    this.#barrierTimes = Array.from({ length: size }, () => []);
  }

  /** Returns the job's options and read sources. Throws if a rank's version or options differ. */
  makeAgreement(ranks: readonly RankInfo[], decide: PlanDecision): Agreement {
    this.#rankInfos = ranks;
    rejectUnlike(ranks);
    const hosts = groupByHost(ranks);
    const isShifted = hosts.length > 1 && ranks[0]?.options.readOwnFiles !== true;
    this.record.hosts = hosts;
    const ownSource = hosts.length === 1 ? 'own-single-host' : 'own-requested';
    this.record.readSource = isShifted ? 'next-host' : ownSource;
    return { ...decide(ranks), sources: [...(isShifted ? assignSources(ranks) : ranks.keys())] };
  }

  /** Returns the decision to continue, or to stop with the first failure; then it records the other measurements. */
  decide(results: readonly StepResult[], makeDecision: MakeDecision): Decision {
    this.#recordBarrierTimes(results);
    const failures = [];
    for (const [rank, result] of results.entries())
      if (result.state === 'failed') failures.push({ ...result, rank });
    const [first, ...others] = failures;
    if (!first)
      try {
        return { state: 'go', ...makeDecision(results.filter((one) => one.state === 'done')) };
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
  merge(results: readonly StepResult[]): Omit<PeerMeasurement, 'sourceCreated'> | null {
    const parts: RankMeasurement[] = [];
    /** Each rank's last barrier before the phase. All times are by rank 0's clock. */
    const gates: BarrierTimes[] = [];
    for (const { rank, host, result } of this.#successes(results)) {
      const { barrierTimes, measurement, startedAtSeconds = 0 } = result;
      const { seconds: offset, errorSeconds: startOffsetErrorSeconds } = this.#clockOffset(rank);
      const gate = barrierTimes.at(-1);
      if (gate) gates.push({ entered: gate.entered - offset, left: gate.left - offset });
      const startOffsetSeconds = startedAtSeconds - offset;
      if (measurement) parts.push({ rank, host, measurement, startOffsetSeconds, startOffsetErrorSeconds });
    }
    const { min: start } = minMax(parts.map(({ startOffsetSeconds }) => startOffsetSeconds));
    const [first, ...others] = parts.map((part) => ({
      ...part,
      startOffsetSeconds: part.startOffsetSeconds - start,
    }));
    if (!first) return null;
    const rankMeasurements = [first, ...others] as const;
    const { max: entered } = minMax(gates.map((gate) => gate.entered));
    const { max: left } = minMax(gates.map((gate) => gate.left));
    const barrierSeconds = Math.max(0, left - entered);
    const measurement = { ...mergeRanks(rankMeasurements), barrierSeconds };
    return { measurement, rankMeasurements, warnings: this.#mergeWarnings(results) };
  }

  /** Returns each warning of the other ranks once, with its hosts. Rank 0 already has its own warnings. */
  #mergeWarnings(results: readonly StepResult[]): readonly Warning[] {
    const received = this.#successes(results)
      .filter(({ rank }) => rank > 0)
      .flatMap(({ host, result }) => result.warnings.map((warning) => ({ warning, host })));
    return groupBy(received, ({ warning }) => warningKey(warning)).map((group) =>
      limitToHosts(group[0].warning, [...new Set(group.map(({ host }) => host))]),
    );
  }

  #recordBarrierTimes(results: readonly StepResult[]): void {
    for (const { rank, result } of this.#successes(results))
      this.#barrierTimes[rank]?.push(...result.barrierTimes);
    for (const barrierTimes of this.#barrierTimes)
      barrierTimes.splice(0, barrierTimes.length - MAX_BARRIER_TIMES);
  }

  /** Returns the results of the ranks that did not fail. */
  #successes(results: readonly StepResult[]) {
    const found: { rank: number; host: string; result: StepSuccess }[] = [];
    for (const [rank, result] of results.entries())
      if (result.state === 'done') found.push({ rank, host: this.#rankInfos[rank]?.host ?? '', result });
    return found;
  }

  #rankName(rank: number): string {
    const host = this.#rankInfos[rank]?.host;
    return `rank ${rank}${host === undefined ? '' : ` on ${display(host)}`}`;
  }

  /** Returns the offset of a rank's clock relative to rank 0's clock. Processes of the same boot share a clock. */
  #clockOffset(rank: number) {
    const own = this.#barrierTimes[rank] ?? [];
    const first = this.#barrierTimes[0] ?? [];
    const isSameClock = this.#rankInfos[rank]?.boot === this.#rankInfos[0]?.boot;
    return (isSameClock ? null : estimateClockOffset(own, first)) ?? SAME_CLOCK;
  }
}

/**
 * Returns how far the clock of `own` is ahead of the clock of `other`, with the maximum error. No rank leaves a barrier
 * before all have entered, so each shared barrier gives two bounds. Null if there is no shared barrier.
 */
export function estimateClockOffset(own: readonly BarrierTimes[], other: readonly BarrierTimes[]) {
  let lower = Number.NEGATIVE_INFINITY;
  let upper = Number.POSITIVE_INFINITY;
  for (const [at, { entered, left }] of own.entries()) {
    const otherTimes = other[at];
    if (!otherTimes) break;
    lower = Math.max(lower, entered - otherTimes.left);
    upper = Math.min(upper, left - otherTimes.entered);
  }
  if (lower === Number.NEGATIVE_INFINITY) return null;
  return { seconds: (lower + upper) / 2, errorSeconds: Math.max(0, (upper - lower) / 2) };
}
