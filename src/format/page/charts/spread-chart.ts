import { formatAmount } from '../../../report/amount.js';
import { metricValues, rateMetric } from '../../../report/metrics.js';
import { primaryRateUnit } from '../../../report/rate.js';
import { completeRuns, groupByPhase } from '../../../report/results.js';
import { computeStatistics, type Statistics } from '../../../report/statistics/statistics.js';
import { pluralize } from '../../../text/units.js';
import type { Chart } from '../drawing/chart.js';
import type { ChartedPhase, ChartedResult } from '../drawing/charted-result.js';
import { lineMark } from '../drawing/marks.js';
import { dotMark, intervalMarks, rowChart } from '../drawing/row-chart.js';
import { linearScale } from '../drawing/scale.js';

interface Row {
  readonly result: ChartedResult;
  readonly values: readonly number[];
  readonly isFromDevice: boolean;
  readonly statistics: Statistics;
}

type Show = (value: number) => string;

/** Draws a dot for each run's rate, and each result's mean with its interval. Null for fewer than two runs. */
export function spreadChart(
  { phase, primaryRate }: ChartedPhase,
  chartedResults: readonly ChartedResult[],
): Chart | null {
  const rows = chartedResults.flatMap((result) => toRows(phase, result));
  if (rows.flatMap(({ values }) => values).length < 2) return null;
  const show = (value: number) => formatAmount(value, primaryRateUnit({ primaryRate }));
  const bounds = rows.flatMap(({ statistics: { min, max, confidence95 } }) =>
    confidence95 ? [min, max, confidence95.low, confidence95.high] : [min, max],
  );
  return rowChart({
    description:
      rows.length > 1 ? describeMeans(rows, show) : rows.map((row) => describeRow(row, show)).join(' '),
    right: 680,
    x: (span) => linearScale(bounds, span, show, 4),
    rows: rows.map(({ result: { name, style }, values, statistics: { mean, confidence95 } }) => ({
      detail: name,
      marks: (x) => [
        ...values.map((value) => dotMark(x(value), 3.5, { ...style.fill, 'fill-opacity': 0.45 })),
        ...intervalMarks(confidence95, x, style),
        lineMark([x(mean), -9], [x(mean), 9], { ...style.stroke, 'stroke-width': 3 }),
      ],
    })),
    table: [
      ['', 'mean', '95 % interval', 'lowest', 'highest', 'runs'],
      ...rows.map(({ result, statistics: { mean, confidence95, min, max, runs } }) => [
        result.name,
        show(mean),
        confidence95 ? `${show(confidence95.low)} to ${show(confidence95.high)}` : '',
        show(min),
        show(max),
        String(runs),
      ]),
    ],
  });
}

function toRows(phase: string, result: ChartedResult): readonly Row[] {
  const found = groupByPhase(completeRuns([result.source])).find(([first]) => first.phase === phase);
  if (!found) return [];
  const { values, isFromDevice } = metricValues(found, rateMetric);
  return values.length === 0 ? [] : [{ result, values, isFromDevice, statistics: computeStatistics(values) }];
}

/** Describes the lowest and the highest mean of several results. */
function describeMeans(rows: readonly Row[], show: Show): string {
  const sorted = rows.toSorted((one, other) => one.statistics.mean - other.statistics.mean);
  const bounds = [sorted[0], sorted.at(-1)].flatMap((row) =>
    row ? `${show(row.statistics.mean)} (${row.result.name})` : [],
  );
  return `Means from ${bounds.join(' to ')}.`;
}

function describeRow({ result, isFromDevice, statistics }: Row, show: Show): string {
  const { mean, min, max, runs, confidence95 } = statistics;
  const from = runs > 1 ? `, from ${show(min)} to ${show(max)}` : '';
  const within = confidence95
    ? `; the mean is likely between ${show(confidence95.low)} and ${show(confidence95.high)}`
    : '';
  return `${result.name}: ${show(mean)}${isFromDevice ? '' : ' as timed'} in ${pluralize(runs, 'run')}${from}${within}.`;
}
