import { formatAmount, unitDefinitions } from '../../../report/amount.js';
import { latenciesAt, mergeLatencies, percentileCurve } from '../../../report/measure/latency-summary.js';
import { primaryRateOf, primaryRateUnit } from '../../../report/rate.js';
import { minMax } from '../../../report/statistics/statistics.js';
import { formatNs, formatSeconds } from '../../../text/units.js';
import type { Chart, Points } from '../drawing/chart.js';
import {
  type ChartedMeasurement,
  type ChartedResults,
  type ChartedStep,
  findMeasurements,
} from '../drawing/charted-result.js';
import { lineChart } from '../drawing/line-chart.js';
import { lineStyle } from '../drawing/line-style.js';
import { formatPercentile, linearScale, logarithmicScale, ninesScale } from '../drawing/scale.js';
import { constantSegment, findTimelines, rateCurve } from '../drawing/timeline.js';

/** Returns the duration of the longest phase including its final sync: the time scale of all charts. */
export function longestSeconds(results: ChartedResults, phases: readonly ChartedStep[]): number {
  const all = phases.flatMap(({ step }) => findMeasurements(results, step));
  const durations = all.map(({ measurement: { seconds, durable } }) => [seconds, durable?.seconds ?? 0]);
  return minMax(durations.flat()).max;
}

/** Draws the rate of a phase over time, with one line for each run. Null if no run has the phase. */
export function rateOverTimeChart(
  { step, primaryRate }: ChartedStep,
  results: ChartedResults,
  lastSeconds: number,
): Chart | null {
  const timelines = findTimelines(results, step);
  if (timelines.length === 0) return null;
  const rateUnit = primaryRateUnit({ primaryRate });
  const { name: unit, divisor } = unitDefinitions[rateUnit].chart;
  const show = (perSecond: number) => formatAmount(perSecond, rateUnit);
  return lineChart({
    description: 'Rate as timed, with a line for each run.',
    lines: timelines.map(({ result, slots }) => ({ ...result, points: rateCurve(slots, divisor) })),
    legendEntries: results,
    plotHeight: 120,
    x: (_, span) => linearScale([0, lastSeconds], span, String, 8),
    y: (rates, span) => linearScale([0, ...rates], span, String, 4),
    xTitle: 'seconds',
    yTitle: unit,
    events: timelines.flatMap(({ events }) => events),
    showsValues: true,
    table: [
      ['', 'mean', 'slowest', 'fastest', 'duration', 'with the sync', 'events'],
      ...timelines.map(({ runName, measurement, slots, events }) => {
        const { seconds, durable } = measurement;
        const { min, max } = minMax(slots.map(({ perSecond }) => perSecond));
        return [
          runName,
          ...[primaryRateOf(measurement), min, max].map(show),
          formatSeconds(seconds),
          durable ? formatSeconds(durable.seconds) : '',
          events.map(({ description }) => description).join('; '),
        ];
      }),
    ],
  });
}

const LATENCY_NAMES = ['p50', 'p99', 'max'] as const;
type LatencyName = (typeof LATENCY_NAMES)[number];

const CURVE_POINTS = 160;
const TABLE_SHARES = [0.5, 0.9, 0.99, 0.999, 0.9999];

/** Draws latency over time: p50, p99 and max of a single run, or the p99 of each run. Null if unknown. */
export function latencyOverTimeChart({ step }: ChartedStep, results: ChartedResults, lastSeconds: number) {
  const all = findMeasurements(results, step);
  const measurements = all.filter(({ measurement }) => measurement.series.latencyNs);
  const [only, ...others] = measurements;
  if (!only) return null;
  const isSingle = others.length === 0;
  const lines = isSingle
    ? LATENCY_NAMES.map((name, at) => ({ name, style: lineStyle(at), points: latencyCurve(only, name) }))
    : measurements.map((one) => ({ ...one.result, points: latencyCurve(one, 'p99') }));
  if (lines.every(({ points }) => points.length === 0)) return null;
  return lineChart({
    description: isSingle
      ? 'Median (p50), p99 and maximum latency of each tenth of a second.'
      : 'p99 latency of each tenth of a second, with a line for each run.',
    lines,
    legendEntries: isSingle ? lines : results,
    plotHeight: 140,
    x: (_, span) => linearScale([0, lastSeconds], span, String, 8),
    y: (latencies, span) => logarithmicScale(latencies, span, formatNs),
    xTitle: 'seconds',
    yTitle: isSingle ? 'latency' : 'p99',
    table: [
      ['', 'lowest p50', 'highest p50', 'lowest p99', 'highest p99', 'longest'],
      ...measurements.map((one) => {
        const extent = (name: LatencyName) => minMax(latencyCurve(one, name).map(([, ns]) => ns));
        const p50 = extent('p50');
        const p99 = extent('p99');
        const values = [p50.min, p50.max, p99.min, p99.max, extent('max').max];
        return [one.runName, ...values.map(formatNs)];
      }),
    ],
  });
}

/** Omits slots in which no operation ended. */
function latencyCurve({ measurement: { series } }: ChartedMeasurement, name: LatencyName): Points {
  return (series.latencyNs?.[name] ?? []).flatMap((ns, at) =>
    ns === null ? [] : constantSegment(series.seconds[at - 1] ?? 0, series.seconds[at] ?? 0, ns),
  );
}

/** Draws latency by percentile, with one line for all runs of a result. Null if unknown. */
export function percentileChart({ step }: ChartedStep, results: ChartedResults): Chart | null {
  const distributions = results.flatMap((result) => {
    const measurements = findMeasurements([result], step);
    const latency = mergeLatencies(measurements.flatMap(({ measurement }) => measurement.latencyNs ?? []));
    const points = latency ? percentileCurve(latency, CURVE_POINTS) : [];
    return latency && points.length > 0 ? { result, latency, points } : [];
  });
  if (distributions.length === 0) return null;
  return lineChart({
    description: 'Latency below which each percentage of the operations stayed, over all runs.',
    lines: distributions.map(({ result, points }) => ({ ...result, points })),
    legendEntries: distributions.map(({ result }) => result),
    plotHeight: 180,
    x: ninesScale,
    y: (latencies, span) => logarithmicScale(latencies, span, formatNs),
    xTitle: 'percentile',
    yTitle: 'latency',
    table: [
      ['', ...TABLE_SHARES.map(formatPercentile), 'longest', 'recorded operations'],
      ...distributions.map(({ result, latency }) => [
        result.name,
        ...latenciesAt(latency, TABLE_SHARES).map((ns) => (ns === null ? '' : formatNs(ns))),
        formatNs(latency.max),
        String(latency.samples),
      ]),
    ],
  });
}
