import { groupBy } from '../text/group-by.js';
import { isServedByDevice } from './device-rate.js';
import { minMax } from './measure/min-max.js';
import { isComplete } from './results.js';
import type { RankResult } from './schema/measurement-schema.js';
import type { Measurement, Report } from './schema/report.js';
import { findIrregularity } from './statistics/irregularity.js';
import { computeMean, sum } from './statistics/statistics.js';

/** What a host, or a rank, did in a phase: of several runs the mean, and of latencies the longest. */
export interface HostSummary {
  readonly name: string;
  readonly ranks: number;
  /** The disk's rate. Null if unknown. */
  readonly perSecond: number | null;
  readonly timedPerSecond: number;
  /** The slowest rank's latencies: percentiles cannot be averaged. */
  readonly latencyNs: { readonly p50: number; readonly p99: number; readonly max: number } | null;
  readonly deviceShare: number | null;
  /** CPU use of all its ranks together: 100 is one core. */
  readonly cpuPercent: number;
  /** When its first rank began and its last was done, after the first of all began. */
  readonly startOffsetSeconds: number;
  readonly endSeconds: number;
  /** True if its rate is far from the other hosts' rates. */
  readonly isOutlier: boolean;
}

export interface PhaseByHost extends Pick<Measurement, 'phase' | 'title' | 'primaryRate'> {
  /** The slowest first. */
  readonly rows: readonly HostSummary[];
}

/** Each phase of the complete runs by host; without one, those of the run that was lost. Empty for a run of one process. */
export function phasesByHost(report: Pick<Report, 'runs' | 'target'>): readonly PhaseByHost[] {
  return groupPhases(report, ({ host }) => host);
}

/** The disk's rate on the slowest host. Null without a job, or if one is unknown. */
export function slowestHostPerSecond(
  { ranks = [], primaryRate }: Pick<Measurement, 'ranks' | 'primaryRate'>,
  { isMemory }: Pick<Report['target'], 'isMemory'>,
): number | null {
  const hosts = groupBy(ranks, ({ host }) => host);
  const rates = hosts.flatMap(
    (group) => summarizeRanks(group[0].host, group, primaryRate, isMemory).perSecond ?? [],
  );
  return rates.length === 0 || rates.length < hosts.length ? null : minMax(rates).min;
}

/** The same by rank. */
export function phasesByRank(report: Pick<Report, 'runs' | 'target'>): readonly PhaseByHost[] {
  return groupPhases(report, ({ rank, host }) => `${rank} on ${host}`);
}

/** The phase in which a rank failed, by host: what the others did. Null if none failed. */
export function failedPhaseByHost({ job, target }: Pick<Report, 'job' | 'target'>): PhaseByHost | null {
  if (!job?.failedPhase) return null;
  const { ranks, ...phase } = job.failedPhase;
  const rows = groupBy(ranks, ({ host }) => host).map((group) =>
    summarizeRanks(group[0].host, group, phase.primaryRate, target.isMemory),
  );
  return { ...phase, rows: sortAndMarkOutliers(rows) };
}

function groupPhases(
  { runs, target }: Pick<Report, 'runs' | 'target'>,
  getName: (rank: RankResult) => string,
): readonly PhaseByHost[] {
  const complete = runs.filter(isComplete);
  const runsToShow = complete.length > 0 ? complete : runs.slice(-1);
  return groupBy(
    runsToShow.flatMap(({ measurements }) => measurements),
    ({ phase }) => phase,
  ).flatMap((measurements) => {
    const [{ phase, title, primaryRate }] = measurements;
    const summaries = measurements.flatMap(({ ranks = [] }) =>
      groupBy(ranks, getName).map((group) =>
        summarizeRanks(getName(group[0]), group, primaryRate, target.isMemory),
      ),
    );
    const rows = groupBy(summaries, ({ name }) => name).map(averageSummaries);
    if (rows.length === 0) return [];
    return [{ phase, title, primaryRate, rows: sortAndMarkOutliers(rows) }];
  });
}

function summarizeRanks(
  name: string,
  ranks: readonly RankResult[],
  primaryRate: Measurement['primaryRate'],
  isMemory: boolean,
): HostSummary {
  const { min: startOffsetSeconds } = minMax(ranks.map((one) => one.startOffsetSeconds));
  const latestEndSeconds = (secondsOf: (one: RankResult) => number) =>
    minMax(ranks.map((one) => one.startOffsetSeconds + secondsOf(one))).max;
  const endSeconds = latestEndSeconds(({ seconds }) => seconds);
  const amount = sum(ranks.map((one) => one[primaryRate]));
  const timedPerSecond = amount / (endSeconds - startOffsetSeconds);
  const isDurable = ranks.every(({ durableSeconds }) => durableSeconds !== null);
  const deviceShare = meanDeviceShare(ranks);
  const durablePerSecond = amount / (latestEndSeconds((one) => one.durableSeconds ?? 0) - startOffsetSeconds);
  const servedPerSecond = isMemory || isServedByDevice(deviceShare) ? timedPerSecond : null;
  return {
    ...{ name, ranks: ranks.length, timedPerSecond, deviceShare, startOffsetSeconds, endSeconds },
    perSecond: isDurable ? durablePerSecond : servedPerSecond,
    latencyNs: longestLatencies(ranks.flatMap(({ latencyNs }) => latencyNs ?? [])),
    cpuPercent: sum(ranks.map((one) => one.cpuPercent)),
    isOutlier: false,
  };
}

/** By how much each rank moved. */
function meanDeviceShare(ranks: readonly RankResult[]): number | null {
  const all = sum(ranks.map(({ operations }) => operations));
  if (ranks.some(({ deviceShare }) => deviceShare === null) || all === 0) return null;
  return sum(ranks.map(({ deviceShare, operations }) => ((deviceShare ?? 0) * operations) / all));
}

function longestLatencies(all: readonly NonNullable<HostSummary['latencyNs']>[]): HostSummary['latencyNs'] {
  if (all.length === 0) return null;
  const longest = (name: 'p50' | 'p99' | 'max') => minMax(all.map((one) => one[name])).max;
  return { p50: longest('p50'), p99: longest('p99'), max: longest('max') };
}

function averageSummaries(rows: readonly [HostSummary, ...HostSummary[]]): HostSummary {
  const mean = (getValue: (row: HostSummary) => number | null) => {
    const known = rows.flatMap((row) => getValue(row) ?? []);
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
    latencyNs: longestLatencies(rows.flatMap(({ latencyNs }) => latencyNs ?? [])),
  };
}

/** The slowest first, and which are far from the others. */
function sortAndMarkOutliers(rows: readonly HostSummary[]): readonly HostSummary[] {
  const irregularity = findIrregularity(rows.map(({ timedPerSecond }) => timedPerSecond));
  const outliers = irregularity?.kind === 'outliers' ? irregularity.values : [];
  return rows
    .map((row) => ({ ...row, isOutlier: outliers.includes(row.timedPerSecond) }))
    .toSorted((one, other) => one.timedPerSecond - other.timedPerSecond);
}
