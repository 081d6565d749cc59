import { findListedSteps } from '../report/listed-steps.js';
import { getMetric, metricOfRuns, summarizeMetric } from '../report/metrics.js';
import { isAtLimit, primaryRateOf } from '../report/rate.js';
import { knownMeasurements } from '../report/results.js';
import { allMeasurements } from '../report/runs.js';
import type { Report } from '../report/schema/report.js';
import { computeMean, minMax } from '../report/statistics/statistics.js';
import { groupBy } from '../text/group-by.js';
import { groupByIoSize, type SweepPoint } from './point.js';
import type { QuotaFacts } from './quota.js';
import { analyzeSweep } from './sweep-result.js';

/** A rate this near to that of cached data is limited by the CPU. */
const CEILING_SHARE = 0.8;

export function measuredPoints(report: Report): readonly SweepPoint[] {
  const all = allMeasurements(report);
  const facts = quotaFactsOf(report);
  const results = findListedSteps(report).filter(({ rows }) => rows.length > 0);
  return results.map(({ step, rows }) => {
    const operationsPerSecond = metricOfRuns(rows, 'ops') ?? 0;
    const rates = { operationsPerSecond, bytesPerSecond: metricOfRuns(rows, 'throughput') };
    // Other programs may keep the CPUs busy, but a rate at the configured limit is not the CPU's.
    const isLimited = facts.ioLimits.some((limit) => isAtLimit([rates], limit, facts));
    const ceiling = metricOfRuns(rows, 'ceiling') ?? Number.POSITIVE_INFINITY;
    const isNearCeiling = (metricOfRuns(rows, 'timed') ?? 0) >= ceiling * CEILING_SHARE;
    const isSaturated = report.warnings.some((one) => one.step === step.name && one.code === 'cpu-saturated');
    return {
      depth: step.threads * step.depth,
      threads: step.threads,
      ioSizeBytes: step.ioBytes,
      ...rates,
      p99Ns: metricOfRuns(rows, 'p99'),
      meanNs: metricOfRuns(rows, 'mean'),
      confidence95: summarizeMetric(rows, getMetric('ops'))?.spread.confidence95 ?? null,
      isServedByDevice:
        metricOfRuns(rows, 'share') === null ? null : rows.every((one) => one.isServedByDevice),
      limitedBy: !isLimited && (isNearCeiling || isSaturated) ? 'cpu' : null,
      // The order stands for the time, because the runs measure the points in different orders.
      samples: knownMeasurements(rows).map((one) => ({
        atSeconds: all.indexOf(one),
        operationsPerSecond: one.operationsPerSecond,
      })),
    };
  });
}

/** Returns the facts about the device and the load that tell a quota from a saturated disk. */
export function quotaFactsOf({ target, options, runs }: Report): QuotaFacts {
  const readPercents = (options.steps ?? []).map(({ mixPercent }) => mixPercent);
  return {
    ioLimits: target.ioLimits ?? [],
    model: target.disk?.model ?? null,
    sizeBytes: target.disk?.sizeBytes ?? null,
    readShare: readPercents.length === 0 ? 1 : computeMean(readPercents) / 100,
    minSeconds: minMax(runs.flatMap(({ measurements }) => measurements.map(({ seconds }) => seconds))).min,
  };
}

/** The same work at different depths. */
export type LoadCurve = ReturnType<typeof findLoadCurves>[number];

/** With fewer depths, the points show no curve. */
const MIN_DEPTHS = 3;

/** Finds the steps that differ only in their depth. The quota is that of all I/O sizes together. */
export function findLoadCurves(report: Report) {
  const { steps = [], ...options } = report.options;
  const groups = groupBy(steps, ({ phase, mixPercent, direct, fsync, syncPerWrite }) =>
    JSON.stringify([phase, mixPercent, direct, fsync, syncPerWrite]),
  );
  return groups.flatMap((group) => {
    const part = { ...report, options: { ...options, steps: [...group] } };
    const { points, quota } = analyzeSweep(measuredPoints(part), quotaFactsOf(part));
    return groupByIoSize(points)
      .filter((curve) => new Set(curve.map(({ depth }) => depth)).size >= MIN_DEPTHS)
      .map((curve) => ({ work: group[0], points: curve, quota }));
  });
}

/** The curve grows if one of the last points exceeds the best of the others by this. */
const GROWTH = 1.05;
const LAST_POINTS = 2;

/**
 * True if a point of a sweep has to be measured: in the first run while the rate of its curve grows, afterwards if the
 * first run measured it.
 */
export function isPointNeeded(name: string, { options, runs }: Pick<Report, 'options' | 'runs'>): boolean {
  const steps = options.steps ?? [];
  const step = steps.find((one) => one.name === name);
  const [first] = runs;
  const findInFirst = (point: string) => first?.measurements.find((one) => one.step === point);
  if (runs.length > 1) return findInFirst(name) !== undefined;
  const lower = steps.filter(
    (one) => one.ioBytes === step?.ioBytes && one.threads * one.depth < step.threads * step.depth,
  );
  const measured = lower.map((one) => findInFirst(one.name)).filter((one) => one !== undefined);
  if (measured.length < lower.length) return false;
  const rates = measured.map(primaryRateOf);
  if (rates.length <= LAST_POINTS) return true;
  const best = minMax(rates.slice(0, -LAST_POINTS)).max;
  return minMax(rates.slice(-LAST_POINTS)).max > best * GROWTH;
}
