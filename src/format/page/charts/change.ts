import { labelChange } from '../../../compare/change-label.js';
import { DEFAULT_MAX_REGRESSION_PERCENT } from '../../../compare/comparison.js';
import type { Comparison } from '../../../compare/comparison-schema.js';
import type { Markup } from '../../../text/markup.js';
import { differenceTexts } from '../../human/comparison-format.js';
import { describeComparison } from '../../human/conclusion.js';
import { signedDecimal, signedWithUnit } from '../../human/percentages.js';
import type { Area, Chart } from '../drawing/chart.js';
import { AXIS, GREY_AREA, lineStyle } from '../drawing/line-style.js';
import { boxMark, lineMark } from '../drawing/marks.js';
import { dotMark, intervalMarks, rowChart } from '../drawing/row-chart.js';
import { linearScale, type Scale, type Span } from '../drawing/scale.js';
import { textMark } from '../drawing/text-mark.js';

/** Larger changes are drawn at the edge. */
const MAX_SHOWN_PERCENT = 200;

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
    x: (span) => percentScale([-limit, limit, ...bounds], span),
    background: (x, area) => limitMarks(limit, x, area),
    heads: ['change', 'range', 'verdict'],
    rows,
  });
}

function percentScale(values: readonly number[], span: Span): Scale {
  const clampPercent = (value: number) => Math.max(-100, Math.min(MAX_SHOWN_PERCENT, value));
  const showTick = (value: number) => signedWithUnit(value).replace(/\.0 /, ' ');
  const { at, ticks } = linearScale(values.map(clampPercent), span, showTick);
  return { at: (value) => at(clampPercent(value)), ticks };
}

/** Draws the allowed regression as a band, and a line at 0. */
function limitMarks(limit: number, x: Scale['at'], { top, bottom }: Area): readonly Markup[] {
  return [
    boxMark({ left: x(-limit), right: x(limit), top, bottom }, GREY_AREA),
    lineMark([x(0), top], [x(0), bottom], AXIS),
    textMark(x(0), top - 8, `within ${limit} %`, 'middle', true),
  ];
}
