import { groupBy } from '../text/group-by.js';
import { isServedByDevice, type TargetKind } from './rate.js';
import { isComplete } from './results.js';
import type { RankResult } from './schema/measurement-schema.js';
import type { Measurement, Report } from './schema/report.js';
import { findIrregularity } from './statistics/irregularity.js';
import { computeMean, minMax, sum } from './statistics/statistics.js';

/** The work of a host or a rank in a phase. Over several runs, the mean; for latencies, the longest. */
export interface HostSummary {
  readonly name: string;
  readonly ranks: number;
  /** The disk's rate. Null if unknown. */
  readonly perSecond: number | null;
  readonly timedPerSecond: number;
  /** The slowest rank's latencies: percentiles cannot be averaged. */
  readonly latencyNs: { readonly p50: number; readonly p99: number; readonly max: number } | null;
  readonly deviceShare: number | null;
  /** Total CPU use of the ranks: 100 is one core. */
  readonly cpuPercent: number;
  /** The start of its first rank and the end of its last rank, relative to the first start in the job. */
  readonly startOffsetSeconds: number;
  readonly endSeconds: number;
  readonly isOutlier: boolean;
}

export interface StepByHost extends Pick<Measurement, 'step' | 'title' | 'primaryRate'> {
  /** The slowest host or rank first. */
  readonly rows: readonly HostSummary[];
}

/** Groups the phases of the complete runs by host, or of the last run if no run is complete. Empty without a job. */
export function stepsByHost(report: Pick<Report, 'runs' | 'target'>): readonly StepByHost[] {
  return groupPhases(report, ({ host }) => host);
}

/** Returns the disk's rate on the slowest host. Null without a job, or if any host's rate is unknown. */
export function slowestHostPerSecond({ ranks = [], primaryRate }: Measurement, target: TargetKind) {
  const hosts = groupBy(ranks, ({ host }) => host);
  const summaries = hosts.map((group) => summarizeRanks(group[0].host, group, primaryRate, target));
  const rates = summaries.map(({ perSecond }) => perSecond).filter((rate) => rate !== null);
  return rates.length === 0 || rates.length < hosts.length ? null : minMax(rates).min;
}

export function stepsByRank(report: Pick<Report, 'runs' | 'target'>): readonly StepByHost[] {
  return groupPhases(report, ({ rank, host }) => `${rank} on ${host}`);
}

/** Groups the phase in which a rank failed by host: the work of the other ranks. Null if no rank failed. */
export function failedPhaseByHost({ job, target }: Pick<Report, 'job' | 'target'>): StepByHost | null {
  return job?.failedStep ? groupPhase([job.failedStep], ({ host }) => host, target) : null;
}

function groupPhases(
  { runs, target }: Pick<Report, 'runs' | 'target'>,
  getName: (rank: RankResult) => string,
): readonly StepByHost[] {
  const complete = runs.filter(isComplete);
  const runsToShow = complete.length > 0 ? complete : runs.slice(-1);
  const all = runsToShow.flatMap(({ measurements }) => measurements);
  const steps = groupBy(all, ({ step }) => step).map((group) => groupPhase(group, getName, target));
  return steps.filter(({ rows }) => rows.length > 0);
}

type RanksOfStep = Pick<Measurement, 'step' | 'title' | 'primaryRate' | 'ranks'>;

function groupPhase(
  measurements: readonly [RanksOfStep, ...RanksOfStep[]],
  getName: (rank: RankResult) => string,
  target: TargetKind,
): StepByHost {
  const [{ step, title, primaryRate }] = measurements;
  const summaries = measurements.flatMap(({ ranks = [] }) =>
    groupBy(ranks, getName).map((group) => summarizeRanks(getName(group[0]), group, primaryRate, target)),
  );
  const hosts = groupBy(summaries, ({ name }) => name).map(averageSummaries);
  const irregularity = findIrregularity(hosts.map(({ timedPerSecond }) => timedPerSecond));
  const outliers = irregularity?.kind === 'outliers' ? irregularity.values : [];
  const rows = hosts.map((row) => ({ ...row, isOutlier: outliers.includes(row.timedPerSecond) }));
  rows.sort((one, other) => one.timedPerSecond - other.timedPerSecond);
  return { step, title, primaryRate, rows };
}

function summarizeRanks(
  name: string,
  ranks: readonly RankResult[],
  primaryRate: Measurement['primaryRate'],
  { isMemory }: TargetKind,
): HostSummary {
  const { min: startOffsetSeconds } = minMax(ranks.map((one) => one.startOffsetSeconds));
  const endSeconds = minMax(ranks.map((one) => one.startOffsetSeconds + one.seconds)).max;
  const amount = sum(ranks.map((one) => one[primaryRate]));
  const timedPerSecond = amount / (endSeconds - startOffsetSeconds);
  const deviceShare = meanDeviceShare(ranks);
  return {
    name,
    ranks: ranks.length,
    perSecond: isMemory || isServedByDevice(deviceShare) ? timedPerSecond : null,
    timedPerSecond,
    latencyNs: longestLatencies(ranks),
    deviceShare,
    cpuPercent: sum(ranks.map((one) => one.cpuPercent)),
    startOffsetSeconds,
    endSeconds,
    isOutlier: false,
  };
}

function meanDeviceShare(ranks: readonly RankResult[]): number | null {
  const total = sum(ranks.map(({ operations }) => operations));
  if (ranks.some(({ deviceShare }) => deviceShare === null) || total === 0) return null;
  return sum(ranks.map(({ deviceShare, operations }) => ((deviceShare ?? 0) * operations) / total));
}

function longestLatencies(all: readonly Pick<HostSummary, 'latencyNs'>[]): HostSummary['latencyNs'] {
  const known = all.map(({ latencyNs }) => latencyNs).filter((latency) => latency !== null);
  if (known.length === 0) return null;
  const longest = (name: 'p50' | 'p99' | 'max') => minMax(known.map((one) => one[name])).max;
  return { p50: longest('p50'), p99: longest('p99'), max: longest('max') };
}

function averageSummaries(rows: readonly [HostSummary, ...HostSummary[]]): HostSummary {
  const mean = (getValue: (row: HostSummary) => number | null) => {
    const known = rows.map(getValue).filter((value) => value !== null);
    return known.length < rows.length ? null : computeMean(known);
  };
  return {
    ...rows[0],
    perSecond: mean(({ perSecond }) => perSecond),
    timedPerSecond: mean(({ timedPerSecond }) => timedPerSecond) ?? 0,
    deviceShare: mean(({ deviceShare }) => deviceShare),
    cpuPercent: mean(({ cpuPercent }) => cpuPercent) ?? 0,
    startOffsetSeconds: mean(({ startOffsetSeconds }) => startOffsetSeconds) ?? 0,
    endSeconds: mean(({ endSeconds }) => endSeconds) ?? 0,
    latencyNs: longestLatencies(rows),
  };
}
