import { groupByStep, type Results, type StepRows } from '../../../report/results.js';
import { sanitize } from '../../../text/escape.js';
import { type Markup, tag, escapeMarkup as text } from '../../../text/markup.js';
import { runsToShow } from '../../data/metric-summary.js';
import { latencyCell, rateCell } from '../../human/aligned-table.js';
import { CHART_WIDTH, lineMark, renderSvg, textMark, truncateToPixels } from '../drawing/chart.js';
import { type ChartedResult, toChartedResults } from '../drawing/charted-result.js';
import { DARK_RULES, GRID } from '../drawing/line-style.js';
import { findTimelines, rateMarks } from '../drawing/timeline.js';

const ROW_HEIGHT = 44;
const HEAD_HEIGHT = 30;
const GAP = 14;
const NAME_START = 8;
const RATE_END = 250;
const CURVE = { left: 276, right: 530 };
const P50_END = 620;
const P99_END = CHART_WIDTH - 8;

/** Renders the results as one picture for a README or a wiki: each rate beside its curve over time. */
export function svgPicture(results: readonly Results[]): string {
  const marks = [tag('style', {}, text(`@media (prefers-color-scheme:dark){${DARK_RULES}}`))];
  const descriptions: string[] = [];
  let height = 0;
  const chartedResults = toChartedResults(results);
  for (const result of chartedResults) {
    const rows = groupByStep(runsToShow(result.source));
    marks.push(...resultMarks(result, rows, height));
    descriptions.push(...rows.map((row) => `${row[0].title}: ${rateText(row, result)}.`));
    height += HEAD_HEIGHT + rows.length * ROW_HEIGHT + GAP;
  }
  const title = `gobonnie: ${chartedResults.map(({ name }) => name).join(', ')}`;
  const description = sanitize(descriptions.join(' '));
  return `${renderSvg({ description, height, marks }, title, 'gobonnie')}\n`;
}

function resultMarks(result: ChartedResult, rows: readonly StepRows[], top: number): readonly Markup[] {
  const y = top + 20;
  const { report } = result.source;
  const heading = [result.name, report?.target.filesystem, report?.target.device].filter(Boolean).join(', ');
  return [
    textMark(NAME_START, y, truncateToPixels(sanitize(heading), P50_END - NAME_START - 40)),
    textMark(P50_END, y, 'p50', 'end', true),
    textMark(P99_END, y, 'p99', 'end', true),
    lineMark([NAME_START, top + HEAD_HEIGHT], [P99_END, top + HEAD_HEIGHT], GRID),
    ...rows.flatMap((row, index) => rowMarks(row, result, top + HEAD_HEIGHT + index * ROW_HEIGHT)),
  ];
}

function rowMarks(row: StepRows, result: ChartedResult, top: number): readonly Markup[] {
  const [{ step, title }] = row;
  const middle = top + ROW_HEIGHT / 2 + 4;
  const area = { ...CURVE, top: top + 6, bottom: top + ROW_HEIGHT - 6 };
  return [
    textMark(NAME_START, middle, truncateToPixels(sanitize(title), 130)),
    tag(
      'g',
      { 'font-size': 16, 'font-weight': 600 },
      textMark(RATE_END, middle + 1, rateText(row, result), 'end'),
    ),
    ...rateMarks(findTimelines([result], step).slice(0, 1), area),
    textMark(P50_END, middle, latencyCell(row, 'p50'), 'end'),
    textMark(P99_END, middle, latencyCell(row, 'p99'), 'end'),
  ];
}

function rateText(row: StepRows, { source }: ChartedResult): string {
  return rateCell(row, source.report?.target.isMemory === true);
}
