import { mergeLatencies } from '../../report/measure/latency-summary.js';
import { minMax } from '../../report/measure/min-max.js';
import {
  type LatencyDistribution,
  latenciesAt,
  percentileCurve,
} from '../../report/measure/percentile-curve.js';
import { formatRange } from '../../report/measure/range.js';
import { formatNs } from '../../text/units.js';
import type { Chart } from '../drawing/chart.js';
import {
  type ChartedPhase,
  type ChartedResult,
  findMeasurements,
  legendEntries,
} from '../drawing/charted-result.js';
import { createFrame } from '../drawing/frame.js';
import { axisMarks, polylineMark } from '../drawing/marks.js';
import { formatPercentile, logarithmicScale, ninesScale, spanValues } from '../drawing/scale.js';

const PLOT_HEIGHT = 180;
const CURVE_POINTS = 160;
/** The percentiles in the table. */
const TABLE_SHARES = [0.5, 0.9, 0.99, 0.999, 0.9999];

/** Draws latency by percentile, with one line for all runs of a result. Null if unknown. */
export function percentileChart(
  { phase, title }: ChartedPhase,
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
  const { area, height, marks } = createFrame(
    legendEntries(distributions.map(({ result }) => result)),
    PLOT_HEIGHT,
  );
  const all = distributions.flatMap(({ curve }) => curve);
  const x = ninesScale(minMax(all.map(({ share }) => share)).max, [area.left, area.right]);
  const nsValues = all.map(({ ns }) => Math.max(1, ns));
  const y = logarithmicScale(spanValues(nsValues), [area.bottom, area.top], formatNs);
  return {
    id: `latency-${phase}`,
    heading: title,
    title: `${title}: latency by percentile`,
    description: describeDistributions(distributions.map((one) => one.latency)),
    height,
    marks: [
      ...axisMarks(area, x, y, ['percentile', 'latency']),
      ...distributions.map(({ result, curve }) =>
        polylineMark(
          curve.map(({ share, ns }) => [x.at(share), y.at(Math.max(1, ns))]),
          result.style,
        ),
      ),
      ...marks,
    ],
    table: [
      ['', ...TABLE_SHARES.map(formatPercentile), 'longest', 'recorded operations'],
      ...distributions.map(({ result, latency }) => [
        result.name,
        ...latenciesAt(latency, TABLE_SHARES).map(formatKnownNs),
        formatNs(latency.max),
        String(latency.samples),
      ]),
    ],
  };
}

function formatKnownNs(ns: number | null): string {
  return ns === null ? '' : formatNs(ns);
}

/** Describes the latencies of one result, or the range of several results. */
function describeDistributions(latencies: readonly LatencyDistribution[]): string {
  const knownNsAt = (share: number) =>
    latencies.flatMap((latency) => latenciesAt(latency, [share]).flatMap((ns) => ns ?? []));
  const medians = knownNsAt(0.5);
  const p99s = knownNsAt(0.99);
  const maxima = latencies.map(({ max }) => max);
  const parts: string[] = [];
  if (medians.length > 0) parts.push(`half of the operations took at most ${formatRange(medians, formatNs)}`);
  if (p99s.length > 0) parts.push(`99 % at most ${formatRange(p99s, formatNs)}`);
  parts.push(`the longest ${formatRange(maxima, formatNs)}`);
  const text = `${parts.join(', ')}.`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
