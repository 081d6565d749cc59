import { endsOf } from '../../report/measure/range.js';
import { type PhaseRows, groupByPhase, type Results } from '../../report/results.js';
import { sanitize } from '../../text/escape.js';
import { svgOf, WIDTH } from '../drawing/chart.js';
import { DARK_RULES } from '../drawing/colours.js';
import { thinned } from '../drawing/lines.js';
import { lineMark, straightMark } from '../drawing/marks.js';
import { linear } from '../drawing/scale.js';
import { measurementsOf, type Side, sidesOf } from '../drawing/side.js';
import { courseOf, slotsOf } from '../drawing/slots.js';
import { fitting, textMark } from '../drawing/text.js';
import { latencyCell, rateCell } from '../people/cells.js';
import { shownRuns } from '../programs/summary.js';
import { type Markup, tag, escapedMarkup as text } from '../writing/markup.js';

const [ROW_HEIGHT, HEAD_HEIGHT, GAP] = [44, 30, 14];
/** Where the columns are. */
const [NAME, RATE_END, PLOT_START, PLOT_END, P50_END, P99_END] = [8, 250, 276, 530, 620, WIDTH - 8];

/** The answer in one picture, for a README or a wiki: each figure with its course over time. */
export function svgPicture(results: readonly Results[]): string {
  const sides = sidesOf(results);
  let top = 0;
  const marks = sides.flatMap((side) => {
    const rows = groupByPhase(shownRuns(side.results));
    const part = partOf(side, rows, top);
    top += HEAD_HEIGHT + rows.length * ROW_HEIGHT + GAP;
    return part;
  });
  const title = `gobonnie: ${sides.map(({ name }) => name).join(', ')}`;
  const sentence = sides.flatMap((side) =>
    groupByPhase(shownRuns(side.results)).map((row) => `${row[0].title}: ${rateCell(row, isInMemory(side))}.`),
  );
  const style = tag('style', {}, text(`@media (prefers-color-scheme:dark){${DARK_RULES}}`));
  return `${svgOf({
    ...{ id: 'gobonnie', title, heading: null, height: top, table: [] },
    ...{ sentence: sanitize(sentence.join(' ')), marks: [style, ...marks] },
  })}\n`;
}

function partOf(side: Side, rows: readonly PhaseRows[], top: number): readonly Markup[] {
  const y = top + 20;
  const { report } = side.results;
  const place = [side.name, report?.target.filesystem, report?.target.device].filter(Boolean).join(', ');
  return [
    textMark(NAME, y, fitting(sanitize(place), P50_END - NAME - 40)),
    textMark(P50_END, y, 'p50', 'end', true),
    textMark(P99_END, y, 'p99', 'end', true),
    straightMark([NAME, top + HEAD_HEIGHT], [P99_END, top + HEAD_HEIGHT]),
    ...rows.flatMap((row, index) => rowMarks(row, side, top + HEAD_HEIGHT + index * ROW_HEIGHT)),
  ];
}

function rowMarks(row: PhaseRows, side: Side, top: number): readonly Markup[] {
  const [{ phase, title, primaryRate }] = row;
  const middle = top + ROW_HEIGHT / 2 + 4;
  const courses = measurementsOf([side], phase).map(({ measurement }) =>
    slotsOf(measurement.series, primaryRate),
  );
  const rates = courses.flat().map(({ perSecond }) => perSecond);
  const x = linear([0, 1], [PLOT_START, PLOT_END], String);
  const y = linear([0, Math.max(0, endsOf(rates)[1])], [top + ROW_HEIGHT - 6, top + 6], String);
  const lines = courses.slice(0, 1).map((slots) => {
    const end = slots.at(-1)?.toSeconds ?? 1;
    const points = courseOf(slots).map(([at, value]) => [x.at(at / end), y.at(value)] as const);
    return lineMark(thinned(points, (PLOT_END - PLOT_START) / 2), { ...side.look, dashes: undefined });
  });
  return [
    textMark(NAME, middle, fitting(sanitize(title), 130)),
    tag(
      'g',
      { 'font-size': 16, 'font-weight': 600 },
      textMark(RATE_END, middle + 1, rateCell(row, isInMemory(side)), 'end'),
    ),
    ...lines,
    textMark(P50_END, middle, latencyCell(row, 'p50'), 'end'),
    textMark(P99_END, middle, latencyCell(row, 'p99'), 'end'),
  ];
}

function isInMemory({ results }: Side): boolean {
  return results.report?.target.isMemory === true;
}
