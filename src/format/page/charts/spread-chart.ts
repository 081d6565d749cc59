import { formatAmount } from '../../../report/amount.js';
import { metricValues, rateMetric } from '../../../report/metrics.js';
import { primaryRateUnit } from '../../../report/rate.js';
import { completeRuns, groupByPhase } from '../../../report/results.js';
import { computeStatistics } from '../../../report/statistics/statistics.js';
import type { Chart } from '../drawing/chart.js';
import type { ChartedPhase, ChartedResult } from '../drawing/charted-result.js';
import { lineMark } from '../drawing/marks.js';
import { type ChartRow, dotMark, intervalMarks, rowChart } from '../drawing/row-chart.js';
import { linearScale } from '../drawing/scale.js';

/** Draws a dot for each run's rate, and each result's mean with its interval. Null for fewer than two runs. */
export function spreadChart(
  { phase, primaryRate }: ChartedPhase,
  chartedResults: readonly ChartedResult[],
): Chart | null {
  const show = (value: number) => formatAmount(value, primaryRateUnit({ primaryRate }));
  const bounds: number[] = [];
  const allValues: number[] = [];
  const rows = chartedResults.flatMap(({ name, style, source }): readonly ChartRow[] => {
    const found = groupByPhase(completeRuns([source])).find(([first]) => first.phase === phase);
    const values = found ? metricValues(found, rateMetric).values : [];
    if (values.length === 0) return [];
    const { mean, confidence95, min, max, runs } = computeStatistics(values);
    allValues.push(...values);
    bounds.push(min, max, confidence95?.low ?? min, confidence95?.high ?? max);
    return [
      {
        detail: name,
        marks: (x) => [
          ...values.map((value) => dotMark(x(value), 3.5, { ...style.fill, 'fill-opacity': 0.45 })),
          ...intervalMarks(confidence95, x, style),
          lineMark([x(mean), -9], [x(mean), 9], { ...style.stroke, 'stroke-width': 3 }),
        ],
        cells: [
          show(mean),
          confidence95 ? `${show(confidence95.low)} to ${show(confidence95.high)}` : '',
          show(min),
          show(max),
          String(runs),
        ],
      },
    ];
  });
  if (allValues.length < 2) return null;
  return rowChart({
    description: 'Each dot is a run; the bar is the mean, and the line its 95 % confidence interval.',
    right: 680,
    x: (span) => linearScale(bounds, span, show, 4),
    heads: ['mean', '95 % interval', 'lowest', 'highest', 'runs'],
    rows,
  });
}
