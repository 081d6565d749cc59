import { type MetricChange, type Comparison, DEFAULT_MAX_REGRESSION_PERCENT } from '../../compare/comparison.js';
import { labelChange } from '../../compare/words.js';
import { type Chart, pixel } from '../drawing/chart.js';
import { GRID, lookOf } from '../drawing/colours.js';
import { axes, lineMark, straightMark } from '../drawing/marks.js';
import { linear } from '../drawing/scale.js';
import { fitting, textMark, textWidth } from '../drawing/text.js';
import { differenceTexts } from '../people/comparison.js';
import { conclusionOf } from '../people/conclusion.js';
import { decimal, signed } from '../people/percentages.js';
import { tag } from '../writing/markup.js';

const [LEFT, RIGHT, ROW_HEIGHT, TOP, BELOW] = [200, 570, 30, 26, 24];
/** Further away, a change is shown at the edge. */
const FURTHEST_PERCENT = 200;

interface Row {
  readonly name: string;
  /** Of which side, if there are several. */
  readonly after: string;
  readonly change: MetricChange;
  readonly changePercent: number;
  readonly word: string;
  readonly index: number;
}

/** How much each figure of the others differs from the first side's, and what noise alone may do. */
export function changeChart(comparisons: readonly Comparison[]): Chart | null {
  const rows = comparisons.flatMap((comparison, index) => rowsOf(comparison, index, comparisons.length > 1));
  const [first] = comparisons;
  if (!first || rows.length === 0) return null;
  const limit = first.maxRegressionPercent ?? DEFAULT_MAX_REGRESSION_PERCENT;
  const area = { left: LEFT, right: RIGHT, top: TOP, bottom: TOP + rows.length * ROW_HEIGHT };
  const ends = rows.flatMap(({ changePercent, change: { intervalPercent } }) => [
    changePercent,
    ...(intervalPercent ? [intervalPercent.low, intervalPercent.high] : []),
  ]);
  const cut = (value: number) => Math.max(-100, Math.min(FURTHEST_PERCENT, value));
  const scale = linear(
    [Math.min(-limit, ...ends.map(cut)), Math.max(limit, ...ends.map(cut))],
    [LEFT, RIGHT],
    (value) => signed(value).replace(/\.0 /, ' '),
  );
  const x = { ...scale, at: (value: number) => scale.at(cut(value)) };
  return {
    id: 'change',
    heading: `Change from ${first.before}`,
    title: `Change from ${first.before}`,
    sentence: [
      ...differenceTexts(comparisons).map((text) => `${text}.`),
      ...comparisons.flatMap(conclusionOf),
    ].join(' '),
    height: area.bottom + BELOW,
    marks: [
      tag('rect', {
        ...{ x: pixel(x.at(-limit)), y: TOP, width: pixel(x.at(limit) - x.at(-limit)) },
        ...{ height: area.bottom - TOP, fill: GRID, 'fill-opacity': 0.5, class: 'sync' },
      }),
      ...axes(area, x, { at: () => area.bottom, ticks: [] }, ['', '']),
      straightMark([x.at(0), TOP], [x.at(0), area.bottom], 'axis'),
      textMark(x.at(0), TOP - 8, `within ${limit} %`, 'middle', true),
      ...rows.flatMap((row, at) => marksOf(row, TOP + (at + 0.5) * ROW_HEIGHT, x.at)),
    ],
    table: [
      ['', 'change', 'range', 'verdict'],
      ...rows.map(({ name, after, changePercent, change: { intervalPercent }, word }) => [
        name + after,
        signed(changePercent),
        intervalPercent ? `${decimal(intervalPercent.low)} to ${decimal(intervalPercent.high)} %` : '',
        word,
      ]),
    ],
  };
}

function rowsOf(comparison: Comparison, index: number, isOneOfSeveral: boolean): readonly Row[] {
  return comparison.changes.flatMap((change) => {
    const { role, name, changePercent, isFromDevice } = change;
    if (role !== 'gating' || changePercent === null || !isFromDevice) return [];
    const word = labelChange(change, comparison) ?? '';
    return [
      {
        name,
        after: isOneOfSeveral ? `, ${comparison.after}` : '',
        change,
        changePercent,
        word,
        index: index + 1,
      },
    ];
  });
}

function marksOf(
  { name, after, change, changePercent, word, index }: Row,
  y: number,
  at: (value: number) => number,
) {
  const look = { ...lookOf(index), dashes: undefined };
  const { intervalPercent } = change;
  return [
    textMark(LEFT - 10, y + 4, name + fitting(after, LEFT - 16 - textWidth(name)), 'end'),
    ...(intervalPercent
      ? [
          lineMark(
            [
              [at(intervalPercent.low), y],
              [at(intervalPercent.high), y],
            ],
            look,
            2,
          ),
        ]
      : []),
    tag('circle', {
      cx: pixel(at(changePercent)),
      cy: pixel(y),
      r: 4.5,
      fill: look.colour,
      class: look.fillClassName,
    }),
    textMark(RIGHT + 14, y + 4, `${signed(changePercent)}  ${word}`.trim()),
  ];
}
