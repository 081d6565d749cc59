import { formatAmount } from '../../report/amount.js';
import { metricValues, rateMetric } from '../../report/metrics.js';
import { primaryRateUnit } from '../../report/rate.js';
import { completeRuns, groupByPhase } from '../../report/results.js';
import { computeStatistics, type Statistics } from '../../report/statistics/statistics.js';
import { pluralize } from '../../text/units.js';
import { type Chart, roundPixel } from '../drawing/chart.js';
import type { ChartedPhase, ChartedResult } from '../drawing/charted-result.js';
import { axisMarks, polylineMark } from '../drawing/marks.js';
import { linearScale, spanValues } from '../drawing/scale.js';
import { textMark, truncateToPixels } from '../drawing/text-mark.js';
import { type Markup, tag } from '../writing/markup.js';

const LEFT = 200;
const RIGHT = 680;
const ROW_HEIGHT = 30;
const TOP = 8;
const BELOW = 24;

interface Row {
  readonly result: ChartedResult;
  readonly values: readonly number[];
  readonly isFromDevice: boolean;
  readonly statistics: Statistics;
}

/** Draws a dot for each run's rate, and each result's mean with its interval. Null for fewer than two runs. */
export function spreadChart(
  { phase, title, primaryRate }: ChartedPhase,
  chartedResults: readonly ChartedResult[],
): Chart | null {
  const rows = chartedResults.flatMap((result) => toRows(phase, result));
  const values = rows.flatMap((row) => row.values);
  if (values.length < 2) return null;
  const unit = primaryRateUnit({ primaryRate });
  const area = { left: LEFT, right: RIGHT, top: TOP, bottom: TOP + rows.length * ROW_HEIGHT };
  const bounds = rows.flatMap(({ statistics: { min, max, confidence95 } }) =>
    confidence95 ? [min, max, confidence95.low, confidence95.high] : [min, max],
  );
  const x = linearScale(spanValues(bounds), [LEFT, RIGHT], (value) => formatAmount(value, unit), 4);
  return {
    id: `spread-${phase}`,
    heading: title,
    title: `${title}: run by run`,
    description:
      rows.length > 1 ? describeMeans(rows, unit) : rows.map((row) => describeRow(row, unit)).join(' '),
    height: area.bottom + BELOW,
    marks: [
      ...axisMarks(area, x, { at: () => area.bottom, ticks: [] }, ['', '']),
      ...rows.flatMap((row, index) => rowMarks(row, TOP + (index + 0.5) * ROW_HEIGHT, x.at)),
    ],
    table: [
      ['', 'mean', '95 % interval', 'lowest', 'highest', 'runs'],
      ...rows.map(({ result, statistics: { mean, confidence95, min, max, runs } }) => [
        result.name,
        formatAmount(mean, unit),
        confidence95
          ? `${formatAmount(confidence95.low, unit)} to ${formatAmount(confidence95.high, unit)}`
          : '',
        formatAmount(min, unit),
        formatAmount(max, unit),
        String(runs),
      ]),
    ],
  };
}

function toRows(phase: string, result: ChartedResult): readonly Row[] {
  const found = groupByPhase(completeRuns([result.source])).find(([first]) => first.phase === phase);
  if (!found) return [];
  const { values, isFromDevice } = metricValues(found, rateMetric);
  return values.length === 0 ? [] : [{ result, values, isFromDevice, statistics: computeStatistics(values) }];
}

function rowMarks(
  { result, values, statistics }: Row,
  y: number,
  toX: (value: number) => number,
): readonly Markup[] {
  const { style } = result;
  const { mean, confidence95 } = statistics;
  const dots = values.map((value) =>
    tag('circle', {
      cx: roundPixel(toX(value)),
      cy: roundPixel(y),
      r: 3.5,
      fill: style.color,
      'fill-opacity': 0.45,
      class: style.fillClassName,
    }),
  );
  const solid = { ...style, dashes: undefined };
  const marks = [textMark(LEFT - 10, y + 4, truncateToPixels(result.name, LEFT - 16), 'end'), ...dots];
  if (confidence95) {
    const low = [toX(confidence95.low), y] as const;
    const high = [toX(confidence95.high), y] as const;
    marks.push(polylineMark([low, high], solid, 2));
  }
  const top = [toX(mean), y - 9] as const;
  const bottom = [toX(mean), y + 9] as const;
  return [...marks, polylineMark([top, bottom], solid, 3)];
}

/** Describes the lowest and the highest mean of several results. */
function describeMeans(rows: readonly Row[], unit: ReturnType<typeof primaryRateUnit>): string {
  const sorted = rows.toSorted((one, other) => one.statistics.mean - other.statistics.mean);
  const bounds = [sorted[0], sorted.at(-1)].flatMap((row) =>
    row ? `${formatAmount(row.statistics.mean, unit)} (${row.result.name})` : [],
  );
  return `Means from ${bounds.join(' to ')}.`;
}

function describeRow(
  { result, isFromDevice, statistics }: Row,
  unit: ReturnType<typeof primaryRateUnit>,
): string {
  const { mean, min, max, runs, confidence95 } = statistics;
  const show = (value: number) => formatAmount(value, unit);
  const from = runs > 1 ? `, from ${show(min)} to ${show(max)}` : '';
  const within = confidence95
    ? `; the mean is likely between ${show(confidence95.low)} and ${show(confidence95.high)}`
    : '';
  return `${result.name}: ${show(mean)}${isFromDevice ? '' : ' as timed'} in ${pluralize(runs, 'run')}${from}${within}.`;
}
