import { groupBy } from '../text/group-by.js';
import { isServedByDevice, type TargetKind } from './rate.js';
import { runsToShow } from './runs.js';
import type { RankResult } from './schema/measurement-schema.js';
import type { Measurement, Report } from './schema/report.js';
import { averageRuns, minMax, sum } from './statistics/statistics.js';
import { findIrregularity } from './statistics/step-statistics.js';

/** The work of a host or a rank in a step. */
export type HostSummary = Readonly<ReturnType<typeof summarizeRanks>>;

/** A step of a job, with the slowest host or rank first. */
export type StepByHost = ReturnType<typeof groupRanks>;

const hostName = ({ host }: RankResult) => host;

/** Groups the phases of the complete runs by host or rank, or of the incomplete runs if none is complete. Empty without a job. */
export function groupByHost({ runs, target }: Pick<Report, 'runs' | 'target'>, getName = hostName) {
  const all = runsToShow(runs).flatMap(({ measurements }) => measurements);
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

/** Sums up the work of each host or rank in a step: over several runs, the mean. */
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
  const elapsedSeconds = endSeconds - startOffsetSeconds;
  const timedPerSecond = amount / elapsedSeconds;
  const deviceShare = meanDeviceShare(ranks);
  return {
    name,
    ranks: ranks.length,
    /** The disk's rate. Null if unknown. */
    perSecond: isMemory || isServedByDevice(deviceShare) ? timedPerSecond : null,
    timedPerSecond,
    /** The slowest rank's latencies: percentiles cannot be averaged. */
    latencyNs: combineLatencies(ranks, (values) => minMax(values).max),
    deviceShare,
    /** Total CPU time of the ranks, in percent of the elapsed time: 100 is one core. */
    cpuPercent: sum(ranks.map((one) => one.cpuPercent * one.seconds)) / elapsedSeconds,
    /** The start of its first rank and the end of its last rank, relative to the first start in the job. */
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

type RankLatencies = Pick<RankResult, 'latencyNs'>;

function combineLatencies(all: readonly RankLatencies[], combine: (values: readonly number[]) => number) {
  const known = all.map(({ latencyNs }) => latencyNs).filter((latency) => latency !== null);
  if (known.length === 0) return null;
  const combined = (name: 'p50' | 'p99') => combine(known.map((one) => one[name]));
  return { p50: combined('p50'), p99: combined('p99'), max: minMax(known.map(({ max }) => max)).max };
}

function averageSummaries(rows: readonly [HostSummary, ...HostSummary[]]): HostSummary {
  const mean = (name: 'timedPerSecond' | 'startOffsetSeconds' | 'endSeconds') =>
    averageRuns(rows.map((row) => row[name]));
  const known = (name: 'perSecond' | 'deviceShare') => {
    const values = rows.map((row) => row[name]).filter((value) => value !== null);
    return values.length < rows.length ? null : values;
  };
  const rates = known('perSecond');
  const shares = known('deviceShare');
  const cpuPercents = rows.map(({ cpuPercent }) => cpuPercent);
  return {
    ...rows[0],
    perSecond: rates && averageRuns(rates),
    timedPerSecond: mean('timedPerSecond'),
    deviceShare: shares && averageRuns(shares, 'share'),
    cpuPercent: averageRuns(cpuPercents, 'percent'),
    startOffsetSeconds: mean('startOffsetSeconds'),
    endSeconds: mean('endSeconds'),
    latencyNs: combineLatencies(rows, (values) => averageRuns(values)),
  };
}
