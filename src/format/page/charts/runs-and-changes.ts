import { labelChange } from '../../../compare/change-label.js';
import { DEFAULT_MAX_REGRESSION_PERCENT } from '../../../compare/comparison.js';
import type { Comparison } from '../../../compare/comparison-schema.js';
import { formatAmount } from '../../../report/amount.js';
import { metricValues, rateMetric } from '../../../report/metrics.js';
import { primaryRateUnit } from '../../../report/rate.js';
import { completeRuns, groupByStep } from '../../../report/results.js';
import { computeStatistics } from '../../../report/statistics/statistics.js';
import type { Markup } from '../../../text/markup.js';
import { differenceTexts } from '../../human/comparison-format.js';
import { describeComparison } from '../../human/conclusion.js';
import { signedDecimal, signedWithUnit } from '../../human/percentages.js';
import type { Area, Chart } from '../drawing/chart.js';
import type { ChartedResult, ChartedStep } from '../drawing/charted-result.js';
import { AXIS, GREY_AREA, lineStyle } from '../drawing/line-style.js';
import { boxMark, lineMark, textMark } from '../drawing/marks.js';
import { type ChartRow, dotMark, intervalMarks, rowChart } from '../drawing/row-chart.js';
import { linearScale, type Scale } from '../drawing/scale.js';

/** Larger changes are drawn at the edge. */
const MAX_SHOWN_PERCENT = 200;

/** Draws a dot for each run's rate, and each result's mean with its interval. Null for fewer than two runs. */
export function spreadChart(
  { step, primaryRate }: ChartedStep,
  chartedResults: readonly ChartedResult[],
): Chart | null {
  const show = (value: number) => formatAmount(value, primaryRateUnit({ primaryRate }));
  const bounds: number[] = [];
  const allValues: number[] = [];
  const rows = chartedResults.flatMap(({ name, style, source }): readonly ChartRow[] => {
    const found = groupByStep(completeRuns([source])).find(([first]) => first.step === step);
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

/** Draws the change of each rate from the baseline, with its interval. Null if no change has a percentage. */
export function changeChart(comparisons: readonly Comparison[]): Chart | null {
  const bounds: number[] = [];
  const rows = comparisons.flatMap((comparison, index) =>
    comparison.changes.flatMap((change) => {
      const { role, name, changePercent, intervalPercent: interval, isFromDevice } = change;
      if (role !== 'gating' || changePercent === null || !isFromDevice) return [];
      bounds.push(changePercent, interval?.low ?? changePercent, interval?.high ?? changePercent);
      const style = lineStyle(index + 1);
      const label = labelChange(change, comparison) ?? '';
      const range = interval ? `${signedDecimal(interval.low)} to ${signedDecimal(interval.high)} %` : '';
      return {
        name,
        detail: comparisons.length > 1 ? `, ${comparison.after}` : '',
        values: `${signedWithUnit(changePercent)}  ${label}`.trim(),
        marks: (x: Scale['at']) => [
          ...intervalMarks(interval, x, style),
          dotMark(x(changePercent), 4.5, style.fill),
        ],
        cells: [signedWithUnit(changePercent), range, label],
      };
    }),
  );
  const [first] = comparisons;
  if (!first || rows.length === 0) return null;
  const limit = first.maxRegressionPercent ?? DEFAULT_MAX_REGRESSION_PERCENT;
  return rowChart({
    description: [
      ...differenceTexts(comparisons).map((text) => `${text}.`),
      ...comparisons.flatMap(describeComparison),
    ].join(' '),
    right: 570,
    x: (span) => {
      const { at, ticks } = linearScale([-limit, limit, ...bounds].map(clampPercent), span, showTick);
      return { at: (value) => at(clampPercent(value)), ticks };
    },
    background: (x, area) => limitMarks(limit, x, area),
    heads: ['change', 'range', 'verdict'],
    rows,
  });
}

function clampPercent(value: number): number {
  return Math.max(-100, Math.min(MAX_SHOWN_PERCENT, value));
}

function showTick(value: number): string {
  return signedWithUnit(value).replace(/\.0 /, ' ');
}

/** Draws the allowed regression as a band, and a line at 0. */
function limitMarks(limit: number, x: Scale['at'], { top, bottom }: Area): readonly Markup[] {
  return [
    boxMark({ left: x(-limit), right: x(limit), top, bottom }, GREY_AREA),
    lineMark([x(0), top], [x(0), bottom], AXIS),
    textMark(x(0), top - 8, `within ${limit} %`, 'middle', true),
  ];
}
