import { groupBy } from '../../text/group-by.js';
import type { Measurement, RankResult } from '../schema/measurement-schema.js';
import { computeMean, minMax, sum } from '../statistics/statistics.js';
import { findCliff } from './cliff.js';
import { mergeLatencies } from './latency-summary.js';
import { computeCpu, type Throughput, toMixPart } from './measurement.js';
import { interpolatePoint, PROGRESS_START, progressPoints } from './progress.js';

/** The measurement of one rank, and its estimated start after the first rank. */
export interface RankMeasurement
  extends Pick<RankResult, 'rank' | 'host' | 'startOffsetSeconds' | 'startOffsetErrorSeconds'> {
  readonly measurement: Measurement;
}

const SERIES_SECONDS = 0.1;
const MAX_SERIES_POINTS = 600;

/** Merges the measurements of all ranks, from the start of the first rank to the end of the last. */
export function mergeRanks(rankMeasurements: readonly [RankMeasurement, ...RankMeasurement[]]): Measurement {
  const [{ measurement: first }] = rankMeasurements;
  const all = rankMeasurements.map(({ measurement }) => measurement);
  const total = (getValue: (one: Measurement) => number) => sum(all.map(getValue));
  const endSeconds = rankMeasurements.map((one) => one.startOffsetSeconds + one.measurement.seconds);
  const { min: firstSeconds, max: seconds } = minMax(endSeconds);
  const bytes = total((one) => one.bytes);
  const operations = total((one) => one.operations);
  const userSeconds = total(({ cpu }) => cpu.userSeconds);
  const systemSeconds = total(({ cpu }) => cpu.systemSeconds);
  const bytesAt = sumProgress(rankMeasurements, 'bytes');
  const operationsAt = sumProgress(rankMeasurements, 'operations');
  const points = Math.min(MAX_SERIES_POINTS, Math.max(1, Math.ceil(seconds / SERIES_SECONDS)));
  const times = Array.from({ length: points }, (_, at) => (seconds * (at + 1)) / points);
  // Without latencies: percentiles of different ranks cannot be added.
  const series = { seconds: times, operations: times.map(operationsAt), bytes: times.map(bytesAt) };
  const rates = { bytesPerSecond: bytes / seconds, operationsPerSecond: operations / seconds };
  return {
    ...first,
    threads: total(({ threads }) => threads),
    bytes,
    operations,
    seconds,
    readBytes: total(({ readBytes }) => readBytes),
    writtenBytes: total(({ writtenBytes }) => writtenBytes),
    ...rates,
    device: mergeDeviceIo(all, bytes, operations),
    otherIo: mergeOtherIo(rankMeasurements),
    cpu: computeCpu({ userSeconds, systemSeconds }, seconds, operations),
    hostCpu: mergeHostCpu(all),
    latencyNs: mergeLatencies(all.map((one) => one.latencyNs)),
    ...(first.copyLatencyNs && { copyLatencyNs: mergeLatencies(all.map((one) => one.copyLatencyNs)) }),
    syncedWrites: mergeSyncedWrites(all),
    reads: mergeMixParts(all, 'reads', { bytes, ...rates }),
    writes: mergeMixParts(all, 'writes', { bytes, ...rates }),
    cliff: findCliff(progressPoints({ series, primaryRate: first.primaryRate })),
    series,
    suspendedSeconds: minMax(all.map(({ suspendedSeconds = 0 }) => suspendedSeconds)).max || undefined,
    // The work while all ranks were busy: until the first rank was done.
    firstDone: {
      seconds: firstSeconds,
      bytesPerSecond: bytesAt(firstSeconds) / firstSeconds,
      operationsPerSecond: operationsAt(firstSeconds) / firstSeconds,
    },
    ranks: rankMeasurements.map(toRankResult),
  };
}

/** Sums the counts of all ranks. A count is null unless every rank has it. */
function mergeDeviceIo(all: readonly Measurement[], bytes: number, operations: number) {
  const sumKnown = (getCount: (one: Measurement['device']) => number | null) => {
    const known = all.map(({ device }) => getCount(device)).filter((count) => count !== null);
    return known.length < all.length ? null : sum(known);
  };
  const unknown = all.find(({ device }) => device.share === null);
  const weight = (one: Measurement) => (bytes > 0 ? one.bytes / bytes : one.operations / operations);
  return {
    readBytes: sumKnown(({ readBytes }) => readBytes),
    writtenBytes: sumKnown(({ writtenBytes }) => writtenBytes),
    dirtyBytes: sumKnown(({ dirtyBytes }) => dirtyBytes),
    share: unknown ? null : Math.min(1, sum(all.map((one) => (one.device.share ?? 0) * weight(one)))),
    reason: unknown?.device.reason ?? null,
  };
}

/** Subtracts the I/O of the job's own ranks: each rank counts the other ranks on its host as other programs. */
function mergeOtherIo(rankMeasurements: readonly RankMeasurement[]): Measurement['otherIo'] {
  if (rankMeasurements.some(({ measurement }) => measurement.otherIo === null)) return null;
  const hosts = groupBy(rankMeasurements, ({ host }) => host);
  const sumOverHosts = (name: 'readBytes' | 'writtenBytes') => {
    const otherBytes = hosts.map((ranks) => {
      const own = ranks.map(({ measurement }) => measurement.device[name] ?? 0);
      const totals = ranks.map(({ measurement }, at) => (measurement.otherIo?.[name] ?? 0) + (own[at] ?? 0));
      return Math.max(0, minMax(totals).max - sum(own));
    });
    return sum(otherBytes);
  };
  return { readBytes: sumOverHosts('readBytes'), writtenBytes: sumOverHosts('writtenBytes') };
}

function mergeSyncedWrites(all: readonly Measurement[]): Measurement['syncedWrites'] {
  const writeLatencyNs = mergeLatencies(all.map((one) => one.syncedWrites?.writeLatencyNs));
  const syncLatencyNs = mergeLatencies(all.map((one) => one.syncedWrites?.syncLatencyNs));
  return writeLatencyNs && syncLatencyNs ? { writeLatencyNs, syncLatencyNs } : undefined;
}

/** Undefined unless every rank has both kinds of operations. */
function mergeMixParts(all: readonly Measurement[], part: 'reads' | 'writes', whole: Throughput) {
  const known = all.map((one) => one[part]).filter((one) => one !== undefined);
  if (known.length < all.length) return undefined;
  const bytes = sum(known.map((one) => one.bytes));
  const operations = sum(known.map((one) => one.operations));
  return toMixPart(bytes, operations, whole, mergeLatencies(known.map((one) => one.latencyNs)));
}

function mergeHostCpu(all: readonly Measurement[]): Measurement['hostCpu'] {
  const known = all.map(({ hostCpu }) => hostCpu).filter((one) => one !== null);
  if (known.length === 0) return null;
  return {
    busyShare: computeMean(known.map(({ busyShare }) => busyShare)),
    stealShare: computeMean(known.map(({ stealShare }) => stealShare)),
  };
}

/** Returns a function of the time: how much work all ranks together have done. */
function sumProgress(rankMeasurements: readonly RankMeasurement[], unit: Measurement['primaryRate']) {
  const curves = rankMeasurements.map(({ startOffsetSeconds, measurement }) => {
    const end = { seconds: measurement.seconds, amount: measurement[unit] };
    const samples = progressPoints({ series: measurement.series, primaryRate: unit });
    return { startOffsetSeconds, points: [PROGRESS_START, ...samples, end] };
  });
  return (seconds: number) =>
    sum(curves.map((one) => interpolatePoint(one.points, seconds - one.startOffsetSeconds).amount));
}

function toRankResult({ measurement, ...rankMeasurement }: RankMeasurement): RankResult {
  const { threads, bytes, operations, seconds, bytesPerSecond, operationsPerSecond, latencyNs } = measurement;
  return {
    ...rankMeasurement,
    threads,
    bytes,
    operations,
    seconds,
    bytesPerSecond,
    operationsPerSecond,
    deviceShare: measurement.device.share,
    cpuPercent: measurement.cpu.percent,
    latencyNs: latencyNs && { p50: latencyNs.p50, p99: latencyNs.p99, max: latencyNs.max },
  };
}
