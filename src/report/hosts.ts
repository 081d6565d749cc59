import { groupBy } from '../text/groups.js';
import { isServed } from './disk-figure.js';
import { endsOf } from './measure/range.js';
import { isComplete } from './results.js';
import type { RankResult } from './schema/measured.js';
import type { Measurement, Report } from './schema/report.js';
import { spreadOf } from './statistics/spread.js';
import { meanOf, sum } from './statistics/statistics.js';

/** What a host, or a rank, did in a phase: of several runs the mean, and of latencies the longest. */
export interface HostRow {
  readonly name: string;
  readonly ranks: number;
  /** The disk's. Null if it is unknown. */
  readonly perSecond: number | null;
  readonly timedPerSecond: number;
  /** Of the rank that has the longest: they cannot be averaged. */
  readonly latencyNs: { readonly p50: number; readonly p99: number; readonly max: number } | null;
  readonly deviceShare: number | null;
  /** Of all its ranks together: 100 is one core. */
  readonly cpuPercent: number;
  /** When its first rank began and its last was done, after the first of all began. */
  readonly startOffsetSeconds: number;
  readonly endSeconds: number;
  /** Whether its rate is far from those of the others. */
  readonly isOutlier: boolean;
}

export interface PhaseOfHosts extends Pick<Measurement, 'phase' | 'title' | 'primaryRate'> {
  /** The slowest first. */
  readonly rows: readonly HostRow[];
}

/** Each phase of the complete runs by host; without one, those of the run that was lost. Empty for a run of one process. */
export function byHost(report: Pick<Report, 'runs' | 'target'>): readonly PhaseOfHosts[] {
  return phasesBy(report, ({ host }) => host);
}

/** The disk's rate on the slowest host. Null without a job, or if one is unknown. */
export function slowestPerSecond(
  { ranks = [], primaryRate }: Pick<Measurement, 'ranks' | 'primaryRate'>,
  { isMemory }: Pick<Report['target'], 'isMemory'>,
): number | null {
  const hosts = groupBy(ranks, ({ host }) => host);
  const rates = hosts.flatMap((group) => rowOf(group[0].host, group, primaryRate, isMemory).perSecond ?? []);
  return rates.length === 0 || rates.length < hosts.length ? null : endsOf(rates)[0];
}

/** The same by rank. */
export function byRank(report: Pick<Report, 'runs' | 'target'>): readonly PhaseOfHosts[] {
  return phasesBy(report, ({ rank, host }) => `${rank} on ${host}`);
}

/** The phase in which a rank failed, by host: what the others did. Null if none failed. */
export function failedPhaseByHost({ job, target }: Pick<Report, 'job' | 'target'>): PhaseOfHosts | null {
  if (!job?.failedPhase) return null;
  const { ranks, ...phase } = job.failedPhase;
  const rows = groupBy(ranks, ({ host }) => host).map((group) =>
    rowOf(group[0].host, group, phase.primaryRate, target.isMemory),
  );
  return { ...phase, rows: sorted(rows) };
}

function phasesBy(
  { runs, target }: Pick<Report, 'runs' | 'target'>,
  nameOf: (rank: RankResult) => string,
): readonly PhaseOfHosts[] {
  const complete = runs.filter(isComplete);
  const shown = complete.length > 0 ? complete : runs.slice(-1);
  return groupBy(
    shown.flatMap(({ measurements }) => measurements),
    ({ phase }) => phase,
  ).flatMap((measurements) => {
    const [{ phase, title, primaryRate }] = measurements;
    const parts = measurements.flatMap(({ ranks = [] }) =>
      groupBy(ranks, nameOf).map((group) => rowOf(nameOf(group[0]), group, primaryRate, target.isMemory)),
    );
    const rows = groupBy(parts, ({ name }) => name).map(meanRow);
    if (rows.length === 0) return [];
    return [{ phase, title, primaryRate, rows: sorted(rows) }];
  });
}

function rowOf(
  name: string,
  ranks: readonly RankResult[],
  primaryRate: Measurement['primaryRate'],
  isMemory: boolean,
): HostRow {
  const [startOffsetSeconds] = endsOf(ranks.map((one) => one.startOffsetSeconds));
  const endOf = (secondsOf: (one: RankResult) => number) =>
    endsOf(ranks.map((one) => one.startOffsetSeconds + secondsOf(one)))[1];
  const endSeconds = endOf(({ seconds }) => seconds);
  const amount = sum(ranks.map((one) => one[primaryRate]));
  const timedPerSecond = amount / (endSeconds - startOffsetSeconds);
  const isDurable = ranks.every(({ durableSeconds }) => durableSeconds !== null);
  const deviceShare = shareOf(ranks);
  const durablePerSecond = amount / (endOf((one) => one.durableSeconds ?? 0) - startOffsetSeconds);
  const servedPerSecond = isMemory || isServed(deviceShare) ? timedPerSecond : null;
  return {
    ...{ name, ranks: ranks.length, timedPerSecond, deviceShare, startOffsetSeconds, endSeconds },
    perSecond: isDurable ? durablePerSecond : servedPerSecond,
    latencyNs: longestOf(ranks.flatMap(({ latencyNs }) => latencyNs ?? [])),
    cpuPercent: sum(ranks.map((one) => one.cpuPercent)),
    isOutlier: false,
  };
}

/** By how much each rank moved. */
function shareOf(ranks: readonly RankResult[]): number | null {
  const all = sum(ranks.map(({ operations }) => operations));
  if (ranks.some(({ deviceShare }) => deviceShare === null) || all === 0) return null;
  return sum(ranks.map(({ deviceShare, operations }) => ((deviceShare ?? 0) * operations) / all));
}

function longestOf(all: readonly NonNullable<HostRow['latencyNs']>[]): HostRow['latencyNs'] {
  if (all.length === 0) return null;
  const longest = (name: 'p50' | 'p99' | 'max') => endsOf(all.map((one) => one[name]))[1];
  return { p50: longest('p50'), p99: longest('p99'), max: longest('max') };
}

function meanRow(rows: readonly [HostRow, ...HostRow[]]): HostRow {
  const mean = (of: (row: HostRow) => number | null) => {
    const known = rows.flatMap((row) => of(row) ?? []);
    return known.length < rows.length ? null : meanOf(known);
  };
  return {
    ...rows[0],
    perSecond: mean(({ perSecond }) => perSecond),
    timedPerSecond: mean(({ timedPerSecond }) => timedPerSecond) ?? 0,
    deviceShare: mean(({ deviceShare }) => deviceShare),
    cpuPercent: mean(({ cpuPercent }) => cpuPercent) ?? 0,
    startOffsetSeconds: mean(({ startOffsetSeconds }) => startOffsetSeconds) ?? 0,
    endSeconds: mean(({ endSeconds }) => endSeconds) ?? 0,
    latencyNs: longestOf(rows.flatMap(({ latencyNs }) => latencyNs ?? [])),
  };
}

/** The slowest first, and which are far from the others. */
function sorted(rows: readonly HostRow[]): readonly HostRow[] {
  const spread = spreadOf(rows.map(({ timedPerSecond }) => timedPerSecond));
  const far = spread?.kind === 'outliers' ? spread.values : [];
  return rows
    .map((row) => ({ ...row, isOutlier: far.includes(row.timedPerSecond) }))
    .toSorted((one, other) => one.timedPerSecond - other.timedPerSecond);
}
