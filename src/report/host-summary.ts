import { groupBy } from '../text/group-by.js';
import { isServedByDevice, type TargetKind } from './rate.js';
import { isComplete } from './results.js';
import type { RankResult } from './schema/measurement-schema.js';
import type { Measurement, Report } from './schema/report.js';
import { findIrregularity } from './statistics/irregularity.js';
import { computeMean, minMax, sum } from './statistics/statistics.js';

export type StepByHost = ReturnType<typeof groupRanks>;
export type HostSummary = StepByHost['rows'][number];

const hostName = ({ host }: RankResult) => host;

/** Groups the phases of the complete runs by host or rank, or of the last run if no run is complete. Empty without a job. */
export function groupByHost({ runs, target }: Pick<Report, 'runs' | 'target'>, getName = hostName) {
  const complete = runs.filter(isComplete);
  const runsToShow = complete.length > 0 ? complete : runs.slice(-1);
  const all = runsToShow.flatMap(({ measurements }) => measurements);
  const steps = groupBy(all, ({ step }) => step).map((group) => groupRanks(group, target, getName));
  return steps.filter(({ rows }) => rows.length > 0);
}

/** Returns the disk's rate on the slowest host. Null without a job, or if any host's rate is unknown. */
export function slowestHostPerSecond(measurement: Measurement, target: TargetKind): number | null {
  const rates = groupRanks([measurement], target).rows.map(({ perSecond }) => perSecond);
  const known = rates.filter((rate) => rate !== null);
  return known.length === 0 || known.length < rates.length ? null : minMax(known).min;
}

type RanksOfStep = Pick<Measurement, 'step' | 'title' | 'primaryRate' | 'ranks'>;

/** Sums up the work of each host or rank in a step: over several runs, the mean; for latencies, the longest. */
export function groupRanks(
  measurements: readonly [RanksOfStep, ...RanksOfStep[]],
  target: TargetKind,
  getName = hostName,
) {
  const [{ step, title, primaryRate }] = measurements;
  const summaries = measurements.flatMap(({ ranks = [] }) =>
    groupBy(ranks, getName).map((group) => summarizeRanks(getName(group[0]), group, primaryRate, target)),
  );
  const hosts = groupBy(summaries, ({ name }) => name).map(averageSummaries);
  const irregularity = findIrregularity(hosts.map(({ timedPerSecond }) => timedPerSecond));
  const outliers = irregularity?.kind === 'outliers' ? irregularity.values : [];
  const rows = hosts.map((row) => ({ ...row, isOutlier: outliers.includes(row.timedPerSecond) }));
  // The slowest host or rank first.
  rows.sort((one, other) => one.timedPerSecond - other.timedPerSecond);
  return { step, title, primaryRate, rows };
}

function summarizeRanks(
  name: string,
  ranks: readonly RankResult[],
  primaryRate: Measurement['primaryRate'],
  { isMemory }: TargetKind,
) {
  const { min: startOffsetSeconds } = minMax(ranks.map((one) => one.startOffsetSeconds));
  const endSeconds = minMax(ranks.map((one) => one.startOffsetSeconds + one.seconds)).max;
  const amount = sum(ranks.map((one) => one[primaryRate]));
  const timedPerSecond = amount / (endSeconds - startOffsetSeconds);
  const deviceShare = meanDeviceShare(ranks);
  return {
    name,
    ranks: ranks.length,
    /** The disk's rate. Null if unknown. */
    perSecond: isMemory || isServedByDevice(deviceShare) ? timedPerSecond : null,
    timedPerSecond,
    /** The slowest rank's latencies: percentiles cannot be averaged. */
    latencyNs: longestLatencies(ranks),
    deviceShare,
    /** Total CPU use of the ranks: 100 is one core. */
    cpuPercent: sum(ranks.map((one) => one.cpuPercent)),
    /** The start of its first rank and the end of its last rank, relative to the first start in the job. */
    startOffsetSeconds,
    endSeconds,
  };
}

function meanDeviceShare(ranks: readonly RankResult[]): number | null {
  const total = sum(ranks.map(({ operations }) => operations));
  if (ranks.some(({ deviceShare }) => deviceShare === null) || total === 0) return null;
  return sum(ranks.map(({ deviceShare, operations }) => ((deviceShare ?? 0) * operations) / total));
}

function longestLatencies(all: readonly Pick<RankResult, 'latencyNs'>[]): RankResult['latencyNs'] {
  const known = all.map(({ latencyNs }) => latencyNs).filter((latency) => latency !== null);
  if (known.length === 0) return null;
  const longest = (name: 'p50' | 'p99' | 'max') => minMax(known.map((one) => one[name])).max;
  return { p50: longest('p50'), p99: longest('p99'), max: longest('max') };
}

type RanksSummary = ReturnType<typeof summarizeRanks>;

function averageSummaries(rows: readonly [RanksSummary, ...RanksSummary[]]): RanksSummary {
  const mean = (name: 'timedPerSecond' | 'cpuPercent' | 'startOffsetSeconds' | 'endSeconds') =>
    computeMean(rows.map((row) => row[name]));
  const meanOfKnown = (name: 'perSecond' | 'deviceShare') => {
    const known = rows.map((row) => row[name]).filter((value) => value !== null);
    return known.length < rows.length ? null : computeMean(known);
  };
  return {
    ...rows[0],
    perSecond: meanOfKnown('perSecond'),
    timedPerSecond: mean('timedPerSecond'),
    deviceShare: meanOfKnown('deviceShare'),
    cpuPercent: mean('cpuPercent'),
    startOffsetSeconds: mean('startOffsetSeconds'),
    endSeconds: mean('endSeconds'),
    latencyNs: longestLatencies(rows),
  };
}
