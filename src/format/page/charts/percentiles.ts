import { mergeLatencies } from '../../../report/measure/latency-summary.js';
import { latenciesAt, percentileCurve } from '../../../report/measure/percentile-curve.js';
import { formatNs } from '../../../text/units.js';
import type { Chart } from '../drawing/chart.js';
import { type ChartedPhase, type ChartedResult, findMeasurements } from '../drawing/charted-result.js';
import { lineChart } from '../drawing/line-chart.js';
import { formatPercentile, logarithmicScale, ninesScale } from '../drawing/scale.js';

const CURVE_POINTS = 160;
/** The percentiles in the table. */
const TABLE_SHARES = [0.5, 0.9, 0.99, 0.999, 0.9999];

/** Draws latency by percentile, with one line for all runs of a result. Null if unknown. */
export function percentileChart(
  { phase }: ChartedPhase,
  chartedResults: readonly ChartedResult[],
): Chart | null {
  const distributions = chartedResults.flatMap((result) => {
    const latencies = findMeasurements([result], phase).flatMap(
      ({ measurement }) => measurement.latencyNs ?? [],
    );
    const latency = mergeLatencies(latencies);
    const curve = latency ? percentileCurve(latency, CURVE_POINTS) : [];
    if (!latency || curve.length === 0) return [];
    return { result, latency, curve };
  });
  if (distributions.length === 0) return null;
  return lineChart({
    description: 'Latency below which each percentage of the operations stayed, over all runs.',
    lines: distributions.map(({ result: { name, style }, curve }) => ({
      name,
      style,
      points: curve.map(({ share, ns }) => [share, ns]),
    })),
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
        ...latenciesAt(latency, TABLE_SHARES).map(formatKnownNs),
        formatNs(latency.max),
        String(latency.samples),
      ]),
    ],
  });
}

function formatKnownNs(ns: number | null): string {
  return ns === null ? '' : formatNs(ns);
}
