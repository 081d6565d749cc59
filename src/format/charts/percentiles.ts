import { mergeLatencies } from '../../report/measure/latency.js';
import { type LatencyDistribution, latenciesAt, percentileCurve } from '../../report/measure/percentile-curve.js';
import { endsOf, formatRange } from '../../report/measure/range.js';
import { formatNs } from '../../text/units.js';
import type { Chart } from '../drawing/chart.js';
import { frame } from '../drawing/frame.js';
import { axes, lineMark } from '../drawing/marks.js';
import { byNines, logarithmic, percentile } from '../drawing/scale.js';
import { keyOf, measurementsOf, type PhaseOfSides, type Side } from '../drawing/side.js';

const PLOT_HEIGHT = 180;
const POINTS = 160;
/** Named in the table. */
const SHARES = [0.5, 0.9, 0.99, 0.999, 0.9999];

/** How long operations took, by percentile: one line for each side, all of its runs together. Null if nothing is known. */
export function percentileChart({ phase, title }: PhaseOfSides, sides: readonly Side[]): Chart | null {
  const known = sides.flatMap((side) => {
    const latencies = measurementsOf([side], phase).flatMap(({ measurement }) => measurement.latencyNs ?? []);
    const latency = mergeLatencies(latencies);
    const curve = latency ? percentileCurve(latency, POINTS) : [];
    return latency && curve.length > 0 ? [{ side, latency, curve }] : [];
  });
  if (known.length === 0) return null;
  const { area, height, marks } = frame(keyOf(known.map(({ side }) => side)), PLOT_HEIGHT);
  const all = known.flatMap(({ curve }) => curve);
  const x = byNines(endsOf(all.map(({ share }) => share))[1], [area.left, area.right]);
  const lengths = all.map(({ ns }) => Math.max(1, ns));
  const y = logarithmic(endsOf(lengths), [area.bottom, area.top], formatNs);
  return {
    id: `latency-${phase}`,
    heading: title,
    title: `${title}: latency by percentile`,
    sentence: sentenceOf(known.map((one) => one.latency)),
    height,
    marks: [
      ...axes(area, x, y, ['percentile', 'latency']),
      ...known.map(({ side, curve }) =>
        lineMark(
          curve.map(({ share, ns }) => [x.at(share), y.at(Math.max(1, ns))]),
          side.look,
        ),
      ),
      ...marks,
    ],
    table: [
      ['', ...SHARES.map(percentile), 'longest', 'recorded operations'],
      ...known.map(({ side, latency }) => [
        side.name,
        ...latenciesAt(latency, SHARES).map(shownNs),
        formatNs(latency.max),
        String(latency.samples),
      ]),
    ],
  };
}

function shownNs(ns: number | null): string {
  return ns === null ? '' : formatNs(ns);
}

/** Of one side, or the range of several. */
function sentenceOf(latencies: readonly LatencyDistribution[]): string {
  const at = (share: number) =>
    latencies.flatMap((latency) => latenciesAt(latency, [share]).flatMap((ns) => ns ?? []));
  const parts = [
    ...(at(0.5).length > 0 ? [`half of the operations took at most ${formatRange(at(0.5), formatNs)}`] : []),
    ...(at(0.99).length > 0 ? [`99 % at most ${formatRange(at(0.99), formatNs)}`] : []),
    `the longest ${formatRange(
      latencies.map(({ max }) => max),
      formatNs,
    )}`,
  ];
  const text = `${parts.join(', ')}.`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
