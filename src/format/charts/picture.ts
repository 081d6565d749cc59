import { minMax } from '../../report/measure/min-max.js';
import { groupByPhase, type PhaseRows, type Results } from '../../report/results.js';
import { sanitize } from '../../text/escape.js';
import { CHART_WIDTH, renderSvg } from '../drawing/chart.js';
import { type ChartedResult, findMeasurements, toChartedResults } from '../drawing/charted-result.js';
import { downsample } from '../drawing/curve.js';
import { DARK_RULES } from '../drawing/line-style.js';
import { lineMark, polylineMark } from '../drawing/marks.js';
import { linearScale } from '../drawing/scale.js';
import { rateCurve, toSlots } from '../drawing/slots.js';
import { textMark, truncateToPixels } from '../drawing/text-mark.js';
import { runsToShow } from '../export/metric-summary.js';
import { latencyCell, rateCell } from '../human/table-cells.js';
import { type Markup, tag, escapeMarkup as text } from '../writing/markup.js';

const ROW_HEIGHT = 44;
const HEAD_HEIGHT = 30;
const GAP = 14;
const NAME_START = 8;
const RATE_END = 250;
const PLOT_START = 276;
const PLOT_END = 530;
const P50_END = 620;
const P99_END = CHART_WIDTH - 8;

/** Renders the results as one picture for a README or a wiki: each rate beside its curve over time. */
export function svgPicture(results: readonly Results[]): string {
  const chartedResults = toChartedResults(results);
  let top = 0;
  const marks = chartedResults.flatMap((result) => {
    const rows = groupByPhase(runsToShow(result.source));
    const block = resultMarks(result, rows, top);
    top += HEAD_HEIGHT + rows.length * ROW_HEIGHT + GAP;
    return block;
  });
  const title = `gobonnie: ${chartedResults.map(({ name }) => name).join(', ')}`;
  const descriptions = chartedResults.flatMap((result) =>
    groupByPhase(runsToShow(result.source)).map(
      (row) => `${row[0].title}: ${rateCell(row, isMemoryTarget(result))}.`,
    ),
  );
  const style = tag('style', {}, text(`@media (prefers-color-scheme:dark){${DARK_RULES}}`));
  return `${renderSvg({
    id: 'gobonnie',
    title,
    heading: null,
    height: top,
    table: [],
    description: sanitize(descriptions.join(' ')),
    marks: [style, ...marks],
  })}\n`;
}

function resultMarks(result: ChartedResult, rows: readonly PhaseRows[], top: number): readonly Markup[] {
  const y = top + 20;
  const { report } = result.source;
  const heading = [result.name, report?.target.filesystem, report?.target.device].filter(Boolean).join(', ');
  return [
    textMark(NAME_START, y, truncateToPixels(sanitize(heading), P50_END - NAME_START - 40)),
    textMark(P50_END, y, 'p50', 'end', true),
    textMark(P99_END, y, 'p99', 'end', true),
    lineMark([NAME_START, top + HEAD_HEIGHT], [P99_END, top + HEAD_HEIGHT]),
    ...rows.flatMap((row, index) => rowMarks(row, result, top + HEAD_HEIGHT + index * ROW_HEIGHT)),
  ];
}

function rowMarks(row: PhaseRows, result: ChartedResult, top: number): readonly Markup[] {
  const [{ phase, title, primaryRate }] = row;
  const middle = top + ROW_HEIGHT / 2 + 4;
  const slotsPerRun = findMeasurements([result], phase).map(({ measurement }) =>
    toSlots(measurement.series, primaryRate),
  );
  const rates = slotsPerRun.flat().map(({ perSecond }) => perSecond);
  const x = linearScale([0, 1], [PLOT_START, PLOT_END], String);
  const y = linearScale([0, Math.max(0, minMax(rates).max)], [top + ROW_HEIGHT - 6, top + 6], String);
  const lines = slotsPerRun.slice(0, 1).map((slots) => {
    const end = slots.at(-1)?.toSeconds ?? 1;
    const points = rateCurve(slots).map(([at, value]) => [x.at(at / end), y.at(value)] as const);
    return polylineMark(downsample(points, (PLOT_END - PLOT_START) / 2), {
      ...result.style,
      dashes: undefined,
    });
  });
  return [
    textMark(NAME_START, middle, truncateToPixels(sanitize(title), 130)),
    tag(
      'g',
      { 'font-size': 16, 'font-weight': 600 },
      textMark(RATE_END, middle + 1, rateCell(row, isMemoryTarget(result)), 'end'),
    ),
    ...lines,
    textMark(P50_END, middle, latencyCell(row, 'p50'), 'end'),
    textMark(P99_END, middle, latencyCell(row, 'p99'), 'end'),
  ];
}

function isMemoryTarget({ source }: ChartedResult): boolean {
  return source.report?.target.isMemory === true;
}
