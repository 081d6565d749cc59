import { formatAmount } from '../../report/amount.js';
import { endsOf } from '../../report/measure/range.js';
import { rateMetric, metricValues } from '../../report/metrics.js';
import { primaryRateUnit } from '../../report/rate.js';
import { completeRuns, groupByPhase } from '../../report/results.js';
import { type Statistics, computeStatistics } from '../../report/statistics/statistics.js';
import { pluralize } from '../../text/units.js';
import { type Chart, pixel } from '../drawing/chart.js';
import { axes, lineMark } from '../drawing/marks.js';
import { linear } from '../drawing/scale.js';
import type { PhaseOfSides, Side } from '../drawing/side.js';
import { fitting, textMark } from '../drawing/text.js';
import { type Markup, tag } from '../writing/markup.js';

const [LEFT, RIGHT, ROW_HEIGHT, TOP, BELOW] = [200, 680, 30, 8, 24];

interface Row {
  readonly side: Side;
  readonly values: readonly number[];
  readonly isFromDevice: boolean;
  readonly statistics: Statistics;
}

/** The rate of every run as a dot, with the mean and its interval for each side. Null for fewer than two runs. */
export function spreadChart(
  { phase, title, primaryRate }: PhaseOfSides,
  sides: readonly Side[],
): Chart | null {
  const rows = sides.flatMap((side) => rowOf(phase, side));
  const values = rows.flatMap((row) => row.values);
  if (values.length < 2) return null;
  const unit = primaryRateUnit({ primaryRate });
  const area = { left: LEFT, right: RIGHT, top: TOP, bottom: TOP + rows.length * ROW_HEIGHT };
  const ends = rows.flatMap(({ statistics: { min, max, confidence95 } }) => [
    min,
    max,
    ...(confidence95 ? [confidence95.low, confidence95.high] : []),
  ]);
  const x = linear(endsOf(ends), [LEFT, RIGHT], (value) => formatAmount(value, unit), 4);
  return {
    id: `spread-${phase}`,
    heading: title,
    title: `${title}: run by run`,
    sentence: rows.length > 1 ? rangeOf(rows, unit) : rows.map((row) => sentenceOf(row, unit)).join(' '),
    height: area.bottom + BELOW,
    marks: [
      ...axes(area, x, { at: () => area.bottom, ticks: [] }, ['', '']),
      ...rows.flatMap((row, index) => marksOf(row, TOP + (index + 0.5) * ROW_HEIGHT, x.at)),
    ],
    table: [
      ['', 'mean', '95 % interval', 'lowest', 'highest', 'runs'],
      ...rows.map(({ side, statistics: { mean, confidence95, min, max, runs } }) => [
        side.name,
        formatAmount(mean, unit),
        confidence95 ? `${formatAmount(confidence95.low, unit)} to ${formatAmount(confidence95.high, unit)}` : '',
        ...[min, max].map((one) => formatAmount(one, unit)),
        String(runs),
      ]),
    ],
  };
}

function rowOf(phase: string, side: Side): readonly Row[] {
  const found = groupByPhase(completeRuns([side.results])).find(([first]) => first.phase === phase);
  if (!found) return [];
  const { values, isFromDevice } = metricValues(found, rateMetric);
  return values.length === 0 ? [] : [{ side, values, isFromDevice, statistics: computeStatistics(values) }];
}

function marksOf(
  { side, values, statistics }: Row,
  y: number,
  at: (value: number) => number,
): readonly Markup[] {
  const { look } = side;
  const { mean, confidence95 } = statistics;
  const dots = values.map((value) =>
    tag('circle', {
      ...{ cx: pixel(at(value)), cy: pixel(y), r: 3.5, fill: look.colour, 'fill-opacity': 0.45 },
      class: look.fillClassName,
    }),
  );
  const solid = { ...look, dashes: undefined };
  const interval = confidence95
    ? [
        lineMark(
          [
            [at(confidence95.low), y],
            [at(confidence95.high), y],
          ],
          solid,
          2,
        ),
      ]
    : [];
  const middle = lineMark(
    [
      [at(mean), y - 9],
      [at(mean), y + 9],
    ],
    solid,
    3,
  );
  return [textMark(LEFT - 10, y + 4, fitting(side.name, LEFT - 16), 'end'), ...dots, ...interval, middle];
}

/** The lowest and the highest mean of several sides. */
function rangeOf(rows: readonly Row[], unit: ReturnType<typeof primaryRateUnit>): string {
  const sorted = rows.toSorted((one, other) => one.statistics.mean - other.statistics.mean);
  const ends = [sorted[0], sorted.at(-1)].flatMap((row) =>
    row ? `${formatAmount(row.statistics.mean, unit)} (${row.side.name})` : [],
  );
  return `On average from ${ends.join(' to ')}.`;
}

function sentenceOf({ side, isFromDevice, statistics }: Row, unit: ReturnType<typeof primaryRateUnit>): string {
  const { mean, min, max, runs, confidence95 } = statistics;
  const show = (value: number) => formatAmount(value, unit);
  const from = runs > 1 ? `, from ${show(min)} to ${show(max)}` : '';
  const within = confidence95
    ? `; the mean is likely between ${show(confidence95.low)} and ${show(confidence95.high)}`
    : '';
  return `${side.name}: ${show(mean)}${isFromDevice ? '' : ' as timed'} in ${pluralize(runs, 'run')}${from}${within}.`;
}
