import { labelChange } from '../../compare/change-label.js';
import {
  type Comparison,
  DEFAULT_MAX_REGRESSION_PERCENT,
  type MetricChange,
} from '../../compare/comparison.js';
import { type Chart, roundPixel } from '../drawing/chart.js';
import { GRID, lineStyle } from '../drawing/line-style.js';
import { axisMarks, lineMark, polylineMark } from '../drawing/marks.js';
import { linearScale } from '../drawing/scale.js';
import { estimateTextPixels, textMark, truncateToPixels } from '../drawing/text-mark.js';
import { differenceTexts } from '../human/comparison-format.js';
import { describeComparison } from '../human/conclusion.js';
import { signedDecimal, signedWithUnit } from '../human/percentages.js';
import { tag } from '../writing/markup.js';

const LEFT = 200;
const RIGHT = 570;
const ROW_HEIGHT = 30;
const TOP = 26;
const BELOW = 24;
/** Larger changes are drawn at the edge. */
const MAX_SHOWN_PERCENT = 200;

interface Row {
  readonly name: string;
  /** The compared side, if there are several; otherwise empty. */
  readonly afterName: string;
  readonly change: MetricChange;
  readonly changePercent: number;
  readonly label: string;
  readonly index: number;
}

/** Draws the change of each rate from the baseline, with its interval. Null if no change has a percentage. */
export function changeChart(comparisons: readonly Comparison[]): Chart | null {
  const rows = comparisons.flatMap((comparison, index) => toRows(comparison, index, comparisons.length > 1));
  const [first] = comparisons;
  if (!first || rows.length === 0) return null;
  const limit = first.maxRegressionPercent ?? DEFAULT_MAX_REGRESSION_PERCENT;
  const area = { left: LEFT, right: RIGHT, top: TOP, bottom: TOP + rows.length * ROW_HEIGHT };
  const bounds = rows.flatMap(({ changePercent, change: { intervalPercent } }) =>
    intervalPercent ? [changePercent, intervalPercent.low, intervalPercent.high] : [changePercent],
  );
  const clampPercent = (value: number) => Math.max(-100, Math.min(MAX_SHOWN_PERCENT, value));
  const scale = linearScale(
    [Math.min(-limit, ...bounds.map(clampPercent)), Math.max(limit, ...bounds.map(clampPercent))],
    [LEFT, RIGHT],
    (value) => signedWithUnit(value).replace(/\.0 /, ' '),
  );
  const x = { ...scale, at: (value: number) => scale.at(clampPercent(value)) };
  return {
    id: 'change',
    heading: `Change from ${first.before}`,
    title: `Change from ${first.before}`,
    description: [
      ...differenceTexts(comparisons).map((text) => `${text}.`),
      ...comparisons.flatMap(describeComparison),
    ].join(' '),
    height: area.bottom + BELOW,
    marks: [
      tag('rect', {
        x: roundPixel(x.at(-limit)),
        y: TOP,
        width: roundPixel(x.at(limit) - x.at(-limit)),
        height: area.bottom - TOP,
        fill: GRID,
        'fill-opacity': 0.5,
        class: 'sync',
      }),
      ...axisMarks(area, x, { at: () => area.bottom, ticks: [] }, ['', '']),
      lineMark([x.at(0), TOP], [x.at(0), area.bottom], 'axis'),
      textMark(x.at(0), TOP - 8, `within ${limit} %`, 'middle', true),
      ...rows.flatMap((row, at) => rowMarks(row, TOP + (at + 0.5) * ROW_HEIGHT, x.at)),
    ],
    table: [
      ['', 'change', 'range', 'verdict'],
      ...rows.map(({ name, afterName, changePercent, change: { intervalPercent }, label }) => [
        name + afterName,
        signedWithUnit(changePercent),
        intervalPercent
          ? `${signedDecimal(intervalPercent.low)} to ${signedDecimal(intervalPercent.high)} %`
          : '',
        label,
      ]),
    ],
  };
}

function toRows(comparison: Comparison, index: number, isOneOfSeveral: boolean): readonly Row[] {
  return comparison.changes.flatMap((change) => {
    const { role, name, changePercent, isFromDevice } = change;
    if (role !== 'gating' || changePercent === null || !isFromDevice) return [];
    const label = labelChange(change, comparison) ?? '';
    return [
      {
        name,
        afterName: isOneOfSeveral ? `, ${comparison.after}` : '',
        change,
        changePercent,
        label,
        index: index + 1,
      },
    ];
  });
}

function rowMarks(
  { name, afterName, change, changePercent, label, index }: Row,
  y: number,
  toX: (value: number) => number,
) {
  const style = { ...lineStyle(index), dashes: undefined };
  const { intervalPercent } = change;
  const shownName = name + truncateToPixels(afterName, LEFT - 16 - estimateTextPixels(name));
  const marks = [textMark(LEFT - 10, y + 4, shownName, 'end')];
  if (intervalPercent) {
    const low = [toX(intervalPercent.low), y] as const;
    const high = [toX(intervalPercent.high), y] as const;
    marks.push(polylineMark([low, high], style, 2));
  }
  const dot = { cx: roundPixel(toX(changePercent)), cy: roundPixel(y), r: 4.5, fill: style.color };
  return [
    ...marks,
    tag('circle', { ...dot, class: style.fillClassName }),
    textMark(RIGHT + 14, y + 4, `${signedWithUnit(changePercent)}  ${label}`.trim()),
  ];
}
