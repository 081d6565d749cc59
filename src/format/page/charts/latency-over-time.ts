import { minMax } from '../../../report/measure/min-max.js';
import { formatNs } from '../../../text/units.js';
import type { Chart, Points } from '../drawing/chart.js';
import {
  type ChartedMeasurement,
  type ChartedPhase,
  type ChartedResult,
  findMeasurements,
} from '../drawing/charted-result.js';
import { constantSegment } from '../drawing/curve.js';
import { lineChart } from '../drawing/line-chart.js';
import { lineStyle } from '../drawing/line-style.js';
import { linearScale, logarithmicScale } from '../drawing/scale.js';

type LatencyName = 'p50' | 'p99' | 'max';
const LATENCY_NAMES = ['p50', 'p99', 'max'] as const;

/** Draws latency over time: p50, p99 and max of a single run, or the p99 of each run. Null if unknown. */
export function latencyOverTimeChart(
  { phase }: ChartedPhase,
  chartedResults: readonly ChartedResult[],
  lastSeconds: number,
): Chart | null {
  const measurements = findMeasurements(chartedResults, phase).filter(
    ({ measurement }) => measurement.series.latencyNs,
  );
  const [only, ...others] = measurements;
  if (!only) return null;
  const isSingle = others.length === 0;
  const lines = isSingle
    ? LATENCY_NAMES.map((name, at) => ({ name, style: lineStyle(at), points: latencyCurve(only, name) }))
    : measurements.map((one) => ({
        name: one.result.name,
        style: one.result.style,
        points: latencyCurve(one, 'p99'),
      }));
  if (lines.every(({ points }) => points.length === 0)) return null;
  return lineChart({
    description: isSingle
      ? 'Median (p50), p99 and maximum latency of each tenth of a second.'
      : 'p99 latency of each tenth of a second, with a line for each run.',
    lines,
    legendEntries: isSingle ? lines : chartedResults,
    plotHeight: 140,
    x: (_, span) => linearScale([0, lastSeconds], span, String, 8),
    y: (latencies, span) => logarithmicScale(latencies, span, formatNs),
    xTitle: 'seconds',
    yTitle: isSingle ? 'latency' : 'p99',
    table: [
      ['', 'lowest p50', 'highest p50', 'lowest p99', 'highest p99', 'longest'],
      ...measurements.map((one) => {
        const p50 = latencyExtent(one, 'p50');
        const p99 = latencyExtent(one, 'p99');
        const values = [p50.min, p50.max, p99.min, p99.max, latencyExtent(one, 'max').max];
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

function latencyExtent(one: ChartedMeasurement, name: LatencyName) {
  return minMax(latencyCurve(one, name).map(([, ns]) => ns));
}
