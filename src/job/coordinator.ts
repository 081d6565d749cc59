import { randomUUID } from 'node:crypto';
import type { Communicator } from '../communicator/communicator.js';
import { GobonnieError, isErrorCode } from '../errors.js';
import { limitToHosts } from '../report/measure/host-warnings.js';
import { mergeRanks, type RankMeasurement } from '../report/measure/merge-ranks.js';
import { minMax } from '../report/measure/min-max.js';
import type { Measurement, Report, Warning } from '../report/schema/report.js';
import { warningKey } from '../report/warning-catalogue.js';
import { toGobonnieError } from '../system-error.js';
import { display } from '../text/escape.js';
import { groupBy } from '../text/group-by.js';
import { pluralize } from '../text/units.js';
import { type BarrierTimes, type ClockOffset, estimateClockOffset } from './clock.js';
import type { Agreement, Decision, ProceedDecision, StepResult, StepSuccess } from './messages.js';
import { assignSources, groupByHost, type RankInfo, rejectUnlike } from './rank-info.js';

/** Clocks drift, so bounds from older waits no longer hold. */
const MAX_BARRIER_TIMES = 100;

const SAME_CLOCK: ClockOffset = { seconds: 0, errorSeconds: 0 };

/** What is added to the decision if no rank has failed. */
export type DecisionExtras = (results: readonly StepSuccess[]) => Omit<ProceedDecision, 'state'>;

/** What depends on the plan. */
export type AgreedPlan = Omit<Agreement, 'id' | 'sources'>;

/** Rank 0's part of a job: collects the reports of all ranks and decides for them. */
export class Coordinator {
  readonly record: NonNullable<Report['job']>;
  readonly #id: string;
  readonly #warnings: Warning[] = [];
  #rankInfos: readonly RankInfo[] = [];
  #parts: readonly RankMeasurement[] = [];
  /** One entry per rank. */
  readonly #barrierTimes: BarrierTimes[][];

  constructor({ size, id }: Pick<Communicator, 'size' | 'id'>) {
    this.#id = id ?? randomUUID();
    this.record = { ranks: size, hosts: [] };
    this.#barrierTimes = Array.from({ length: size }, () => []);
  }

  /** What all do, if all are alike. */
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
      id: this.#id,
      sources: isShifted ? [...assignSources(ranks)] : [...ranks.keys()],
    };
  }

  /** All go on, or stop with the first failure. Those that did not fail are then recorded. */
  decide(results: readonly StepResult[], makeExtras: DecisionExtras): Decision {
    this.#recordBarrierTimes(results);
    this.#recordWarnings(results);
    const failed = [...results.entries()].flatMap(([rank, one]) =>
      one.state === 'failed' ? [{ ...one, rank }] : [],
    );
    const [first, ...others] = failed;
    if (!first) return this.#makeDecision(results, makeExtras);
    this.recordIncomplete(results);
    const rest = others.length > 0 ? ` (and ${pluralize(others.length, 'other rank')})` : '';
    return { ...first, message: `${this.#rankName(first.rank)}${rest}: ${first.message}` };
  }

  /** What those that did not fail measured in a phase that has no figure. */
  recordIncomplete(results: readonly StepResult[]): void {
    const merged = this.merge(results);
    if (!merged) return;
    const { phase, title, primaryRate, ranks = [] } = merged;
    this.record.failedPhase = { phase, title, primaryRate, ranks };
  }

  /** What they measured together. Null if no rank measured anything. */
  merge(results: readonly StepResult[]): Measurement | null {
    // Each looks through all waits so far.
    const clockOffsets = results.map((_, rank) => this.#clockOffset(rank));
    this.#parts = this.#rankMeasurements(results, clockOffsets);
    const [first, ...others] = this.#parts;
    return first
      ? { ...mergeRanks([first, ...others]), barrierSeconds: barrierSeconds(results, clockOffsets) }
      : null;
  }

  /** What each rank did in the last phase. */
  get parts(): readonly RankMeasurement[] {
    return this.#parts;
  }

  /** What other ranks have told of since the last call. */
  takeWarnings(): readonly Warning[] {
    return this.#warnings.splice(0);
  }

  /** Each once, with the hosts that it is about. Rank 0 knows its own. */
  #recordWarnings(results: readonly StepResult[]): void {
    const received = [...results.entries()].flatMap(([rank, result]) =>
      rank === 0 || result.state === 'failed'
        ? []
        : (result.warnings ?? []).map((warning) => ({ warning, host: this.#rankInfos[rank]?.host ?? '' })),
    );
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

  #makeDecision(results: readonly StepResult[], makeExtras: DecisionExtras): Decision {
    try {
      return { state: 'go', ...makeExtras(results.filter((one) => one.state === 'done')) };
    } catch (error) {
      const known = toGobonnieError(error);
      if (!known) throw error;
      return { state: 'failed', code: known.code, message: known.message, hint: known.hint };
    }
  }

  #rankName(rank: number): string {
    const host = this.#rankInfos[rank]?.host;
    return `rank ${rank}${host === undefined ? '' : ` on ${display(host)}`}`;
  }

  /** On one scale of time: the first of them begins at 0. */
  #rankMeasurements(
    results: readonly StepResult[],
    clockOffsets: readonly ClockOffset[],
  ): readonly RankMeasurement[] {
    const parts = [...results.entries()].flatMap(([rank, result]) => {
      if (result.state !== 'done' || !result.measurement) return [];
      const { measurement, startedAtSeconds = 0 } = result;
      const { seconds, errorSeconds } = clockOffsets[rank] ?? SAME_CLOCK;
      const host = this.#rankInfos[rank]?.host ?? '';
      const startOffsetSeconds = startedAtSeconds - seconds;
      return [{ rank, host, measurement, startOffsetSeconds, startOffsetErrorSeconds: errorSeconds }];
    });
    const first = parts.reduce(
      (least, { startOffsetSeconds }) => Math.min(least, startOffsetSeconds),
      Infinity,
    );
    return parts.map((part) => ({ ...part, startOffsetSeconds: part.startOffsetSeconds - first }));
  }

  /** Of rank 0's clock. Processes of one boot have the same. */
  #clockOffset(rank: number): ClockOffset {
    const [own = [], first = []] = [this.#barrierTimes[rank], this.#barrierTimes[0]];
    const isSameClock = this.#rankInfos[rank]?.boot === this.#rankInfos[0]?.boot;
    return (isSameClock ? null : estimateClockOffset(own, first)) ?? SAME_CLOCK;
  }
}

/** Of the gate, the last wait before the phase. */
function barrierSeconds(results: readonly StepResult[], clockOffsets: readonly ClockOffset[]): number {
  const gates = [...results.entries()].flatMap(([rank, result]) => {
    const gate = result.state === 'done' ? result.barrierTimes.at(-1) : undefined;
    const { seconds } = clockOffsets[rank] ?? SAME_CLOCK;
    return gate ? [{ entered: gate.entered - seconds, left: gate.left - seconds }] : [];
  });
  const { max: entered } = minMax(gates.map((gate) => gate.entered));
  const { max: left } = minMax(gates.map((gate) => gate.left));
  return Math.max(0, left - entered);
}

/** The error that a decision to stop is for every rank. */
export function decisionError({ code, message, hint }: Exclude<Decision, ProceedDecision>): GobonnieError {
  return new GobonnieError(isErrorCode(code) ? code : 'rank-failed', message, hint);
}
