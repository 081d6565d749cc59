import { unitDefinitions } from '../../../report/amount.js';
import { findKnee } from '../../../sweep/knee.js';
import type { LoadCurve } from '../../../sweep/load-curves.js';
import type { ResultPoint } from '../../../sweep/sweep-result.js';
import { tag } from '../../../text/markup.js';
import { formatBytes, formatNs } from '../../../text/units.js';
import { describeKnee, describeQuota, lineOf, pointColumns } from '../../human/sweep-text.js';
import { CHART_WIDTH, type Chart } from '../drawing/chart.js';
import { lineChart } from '../drawing/line-chart.js';
import type { LineStyle } from '../drawing/line-style.js';
import { type Axis, linearScale, logarithmicScale, threadsScale } from '../drawing/scale.js';

/** The right end of the rates. The latencies are beside them. */
const RIGHT = 340;

/** Names the work, such as `Random, 70 % reads, 4 KiB`. */
export function curveTitle({ work: { phase, mixPercent }, points: [{ ioSizeBytes }] }: LoadCurve): string {
  const work = phase === 'random' ? `Random, ${mixPercent} % reads` : `Sequential ${phase}`;
  return `${work}, ${formatBytes(ioSizeBytes ?? 0)}`;
}

/** Draws the rate and the p99 by threads, side by side, and marks the knee. Null if the device served no point. */
export function loadCurveChart({ work, points, quota }: LoadCurve, style: LineStyle): Chart | null {
  const unit = work.phase === 'random' ? 'operationsPerSecond' : 'bytesPerSecond';
  const knee = findKnee(points);
  if (!knee) return null;
  const { name, divisor } = unitDefinitions[unit].chart;
  const columns = pointColumns(knee, unit);
  const draw = (yTitle: string, value: (point: ResultPoint) => number | null, y: Axis) =>
    lineChart({
      description: `${describeKnee(points, knee, unit)} ${describeQuota(quota)}`,
      lines: [{ name: yTitle, style, hasDots: true, points: lineOf(points, value) }],
      legendEntries: [],
      plotHeight: 160,
      right: RIGHT,
      x: threadsScale,
      y,
      xTitle: 'threads',
      yTitle,
      mark: { at: knee.threads, text: 'knee' },
      table: [
        ['threads', ...columns.map(({ head }) => head)],
        ...points.map((point) => [String(point.threads), ...columns.map(({ cell }) => cell(point))]),
      ],
    });
  const rates = draw(
    name,
    (point) => (point[unit] ?? 0) / divisor,
    (values, span) => linearScale([0, ...values], span, String, 4),
  );
  if (knee.p99Ns === null) return rates;
  const latencies = draw(
    'p99',
    ({ p99Ns }) => p99Ns,
    (values, span) => logarithmicScale(values, span, formatNs),
  );
  const transform = `translate(${CHART_WIDTH / 2},0)`;
  return { ...rates, marks: [...rates.marks, tag('g', { transform }, ...latencies.marks)] };
}
