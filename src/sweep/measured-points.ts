import { deviceRate, findMemoryCeiling, primaryRateOf } from '../report/rate.js';
import type { Measurement, Report, ReportedStep } from '../report/schema/report.js';
import { computeMean, computeStatistics, minMax } from '../report/statistics/statistics.js';
import type { SweepPoint } from './point.js';
import { isAtLimit, type QuotaFacts } from './quota.js';

const PERCENT = 100;
/** The warnings of a step whose rate is that of the CPU. */
const CPU_CODES: readonly string[] = ['cpu-saturated', 'near-memory-speed'];
/** A rate this near to that of cached data is limited by the CPU. */
const CEILING_SHARE = 0.8;

/** Returns the points that a report has measured, also those of an incomplete run. */
export function measuredPoints(report: Report): readonly SweepPoint[] {
  const measurements = report.runs.flatMap((run) => run.measurements);
  const facts = quotaFactsOf(report);
  return (report.options.steps ?? []).flatMap((step) => {
    const own = measurements.filter((one) => one.step === step.name);
    if (own.length === 0) return [];
    const point = toPoint(step, own, measurements, report);
    // Other programs may keep the CPUs busy, but a rate at the configured limit is not the CPU's.
    const isLimited = facts.ioLimits.some((limit) => isAtLimit([point], limit, facts));
    return [isLimited ? { ...point, limitedBy: null } : point];
  });
}

function toPoint(
  { name, threads, ioBytes }: ReportedStep,
  own: readonly Measurement[],
  all: readonly Measurement[],
  { target, warnings, memoryCeiling }: Report,
): SweepPoint {
  const isServedByDevice = own.every((one) => deviceRate(one, target) !== null);
  const rates = own.map((one) => {
    const rate = (isServedByDevice ? deviceRate(one, target) : null) ?? primaryRateOf(one);
    return one.primaryRate === 'bytes' ? rate / ioBytes : rate;
  });
  const operationsPerSecond = computeMean(rates);
  const ceiling = findMemoryCeiling(name, memoryCeiling) ?? Number.POSITIVE_INFINITY;
  const isNearCeiling = computeMean(own.map(primaryRateOf)) >= ceiling * CEILING_SHARE;
  const hasCpuWarning = warnings.some(({ code, step }) => step === name && CPU_CODES.includes(code));
  return {
    threads,
    ioSizeBytes: ioBytes,
    operationsPerSecond,
    bytesPerSecond: operationsPerSecond * ioBytes,
    p99Ns: meanLatency(own, 'p99'),
    meanNs: meanLatency(own, 'mean'),
    confidence95: computeStatistics(rates).confidence95,
    isServedByDevice,
    limitedBy: isNearCeiling || hasCpuWarning ? 'cpu' : null,
    // The order stands for the time, because the runs measure the points in different orders.
    samples: own.map((one, at) => ({
      atSeconds: all.indexOf(one),
      operationsPerSecond: rates[at] ?? operationsPerSecond,
    })),
  };
}

function meanLatency(own: readonly Measurement[], name: 'mean' | 'p99'): number | null {
  const values = own.map(({ latencyNs }) => latencyNs?.[name]).filter((ns) => ns !== undefined);
  return values.length === 0 ? null : computeMean(values);
}

/** Returns the facts about the device and the load that tell a quota from a saturated disk. */
export function quotaFactsOf({ target, options, runs }: Report): QuotaFacts {
  const readPercents = (options.steps ?? []).map(({ mixPercent }) => mixPercent);
  return {
    ioLimits: target.ioLimits ?? [],
    model: target.disk?.model ?? null,
    sizeBytes: target.disk?.sizeBytes ?? null,
    readShare: readPercents.length === 0 ? 1 : computeMean(readPercents) / PERCENT,
    minSeconds: minMax(runs.flatMap(({ measurements }) => measurements.map(({ seconds }) => seconds))).min,
  };
}
