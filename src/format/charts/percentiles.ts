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
/** Named in the table. */
const TABLE_SHARES = [0.5, 0.9, 0.99, 0.999, 0.9999];

/** How long operations took, by percentile: one line for each side, all of its runs together. Null if nothing is known. */
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
    return latency && curve.length > 0 ? [{ result, latency, curve }] : [];
  });
  if (distributions.length === 0) return null;
  const { area, height, marks } = createFrame(
    legendEntries(distributions.map(({ result }) => result)),
    PLOT_HEIGHT,
  );
  const all = distributions.flatMap(({ curve }) => curve);
  const x = ninesScale(minMax(all.map(({ share }) => share)).max, [area.left, area.right]);
  const lengths = all.map(({ ns }) => Math.max(1, ns));
  const y = logarithmicScale(spanValues(lengths), [area.bottom, area.top], formatNs);
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

/** Of one side, or the range of several. */
function describeDistributions(latencies: readonly LatencyDistribution[]): string {
  const knownNsAt = (share: number) =>
    latencies.flatMap((latency) => latenciesAt(latency, [share]).flatMap((ns) => ns ?? []));
  const parts = [
    ...(knownNsAt(0.5).length > 0
      ? [`half of the operations took at most ${formatRange(knownNsAt(0.5), formatNs)}`]
      : []),
    ...(knownNsAt(0.99).length > 0 ? [`99 % at most ${formatRange(knownNsAt(0.99), formatNs)}`] : []),
    `the longest ${formatRange(
      latencies.map(({ max }) => max),
      formatNs,
    )}`,
  ];
  const text = `${parts.join(', ')}.`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
