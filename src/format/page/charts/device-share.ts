import { formatAmount, formatShare } from '../../../report/amount.js';
import { findMemoryCeiling } from '../../../report/ceiling.js';
import { primaryRateUnit } from '../../../report/rate.js';
import { computeMean } from '../../../report/statistics/statistics.js';
import type { Chart } from '../drawing/chart.js';
import { type ChartedResult, type ChartedStep, findMeasurements } from '../drawing/charted-result.js';
import { CAUTION } from '../drawing/line-style.js';
import { lineMark } from '../drawing/marks.js';
import { barMark, type ChartRow, rowChart } from '../drawing/row-chart.js';
import { proportionalScale } from '../drawing/scale.js';

/** Draws each timed rate, the device's share of it, and the page cache's rate. Null without a measurement. */
export function deviceShareChart(
  phases: readonly ChartedStep[],
  chartedResults: readonly ChartedResult[],
): Chart | null {
  const rows = phases.flatMap((phase) =>
    chartedResults
      .map((result) => toRow(phase, result, chartedResults.length > 1))
      .filter((row) => row !== null),
  );
  if (rows.length === 0) return null;
  return rowChart({
    description:
      'Each rate as timed. The filled part came from the device; the red mark is the rate of the page cache.',
    right: 450,
    x: (span) => proportionalScale(1, span),
    heads: ['as timed', 'from the device', 'page cache'],
    rows,
  });
}

function toRow(
  { step, title, primaryRate }: ChartedStep,
  result: ChartedResult,
  isOneOfSeveral: boolean,
): ChartRow | null {
  const measurements = findMeasurements([result], step).map(({ measurement }) => measurement);
  if (measurements.length === 0) return null;
  const unit = primaryRateUnit({ primaryRate });
  const rate = computeMean(measurements.map((one) => one[unit]));
  const ceiling = findMemoryCeiling(step, result.source.report?.memoryCeiling);
  const shares = measurements.map(({ device }) => device.share).filter((one) => one !== null);
  const share = shares.length < measurements.length ? null : computeMean(shares);
  const fullScale = Math.max(rate, ceiling ?? 0) || 1;
  const { stroke, fill } = result.style;
  const rateText = formatAmount(rate, unit);
  const shareText = share === null ? 'unknown' : formatShare(share);
  const ceilingText = ceiling === null ? '' : formatAmount(ceiling, unit);
  return {
    name: title,
    detail: isOneOfSeveral ? `, ${result.name}` : '',
    values: `${rateText}, ${shareText} from the device`,
    // The device's part of the bar is filled, the cached part is empty. A bar of unknown share is dotted.
    marks: (x) => {
      const end = x(rate / fullScale);
      const dashes = share === null ? '2 3' : undefined;
      const marks = [barMark(x(0), end, { ...stroke, fill: 'none', 'stroke-dasharray': dashes })];
      if (share !== null) marks.push(barMark(x(0), x((rate / fullScale) * share), fill));
      if (ceiling !== null) {
        const at = x(ceiling / fullScale);
        marks.push(lineMark([at, -11], [at, 11], { ...CAUTION, 'stroke-width': 2 }));
      }
      return marks;
    },
    cells: [rateText, shareText, ceilingText],
  };
}
