import { unitDefinitions } from '../../report/amount.js';
import { percentileCurve } from '../../report/measure/latency-summary.js';
import { primaryRateUnit } from '../../report/rate.js';
import type { Results } from '../../report/results.js';
import { minMax } from '../../report/statistics/statistics.js';
import { display } from '../../text/escape.js';
import { formatNs } from '../../text/units.js';
import { displayWidth, truncateStart } from '../../text/width.js';
import { wrapLine } from '../../text/wrap.js';
import {
  type ChartedResult,
  type ChartedStep,
  toChartedResults,
  toChartedSteps,
} from '../page/drawing/charted-result.js';
import { linearScale, logarithmicScale, ninesScale, proportionalScale } from '../page/drawing/scale.js';
import { findTimelines, rateCurve, type Timeline } from '../page/drawing/timeline.js';
import { dotPlot } from './dot-plot.js';
import { plotWidth, type Screen, transliterate } from './screen.js';

const PLOT_ROWS = 7;
const CURVE_POINTS = 200;
export const GAP = 3;
/** In narrower windows, a phase's latency chart is below its rate chart. */
const MIN_COLUMNS_SIDE_BY_SIDE = 76;

/** Draws text charts of each phase's rate over time and its latency by percentile. */
export function chartText(results: readonly Results[], screen: Screen): string {
  const chartedResults = toChartedResults(results);
  return chartedResults
    .flatMap((result) => resultLines(result, chartedResults.length > 1, screen))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

function resultLines(result: ChartedResult, isOneOfSeveral: boolean, screen: Screen): readonly string[] {
  const charts = toChartedSteps([result]).flatMap((phase) => phaseLines(phase, result, screen));
  const lines = charts.length > 0 ? charts : ['These results have no rates over time.', ''];
  return isOneOfSeveral ? [`${display(result.name)}:`, '', ...lines] : lines;
}

function phaseLines(phase: ChartedStep, result: ChartedResult, screen: Screen): readonly string[] {
  const timelines = findTimelines([result], phase.step);
  if (timelines.length === 0) return [];
  const width = plotWidth(screen);
  const isWide = width >= MIN_COLUMNS_SIDE_BY_SIDE;
  const columns = isWide ? Math.floor((width - GAP) / 2) : width;
  const rate = rateChart(phase, timelines, columns, screen);
  const latency = latencyChart(phase, timelines, columns, screen);
  const below = latency.length > 0 ? [...rate, '', ...latency] : rate;
  const charts = isWide ? joinSideBySide(rate, latency, columns) : below;
  const cliffLines = timelines
    .flatMap(({ events }) => events.filter(({ kind }) => kind === 'cliff'))
    .flatMap(({ runName, description }) =>
      wrapLine(transliterate(`${runName} ${description}`, screen), screen.columns),
    );
  return [...charts, ...cliffLines, ''];
}

/** Joins two charts. The left one has at least as many lines as the right one. */
export function joinSideBySide(
  left: readonly string[],
  right: readonly string[],
  columns: number,
): readonly string[] {
  return left.map((line, at) => line + ' '.repeat(columns - displayWidth(line) + GAP) + (right[at] ?? ''));
}

/** Draws a line for each run; the rate axis starts at 0. */
function rateChart(
  { title, primaryRate }: ChartedStep,
  timelines: readonly Timeline[],
  columns: number,
  { unicode, paint }: Screen,
): readonly string[] {
  const { name, divisor } = unitDefinitions[primaryRateUnit({ primaryRate })].chart;
  const { max: last } = minMax(timelines.map(({ measurement: { seconds } }) => seconds));
  const plot = dotPlot({
    lines: timelines.map(({ slots }) => rateCurve(slots, divisor)),
    columns,
    rows: PLOT_ROWS,
    unicode,
    x: (_, span, maxTicks) => {
      const { ticks } = linearScale([0, last], span, (value) => `${value} s`, maxTicks);
      return proportionalScale(last, span, ticks);
    },
    y: (rates, span) => linearScale([0, ...rates], span, String, 3),
  });
  return [paint.faint(chartTitle(title, name, columns)), ...plot];
}

/** Draws a line for each run. Empty without latencies. */
function latencyChart(
  { title }: ChartedStep,
  timelines: readonly Timeline[],
  columns: number,
  screen: Screen,
): readonly string[] {
  const lines = timelines.map(({ measurement: { latencyNs } }) =>
    latencyNs ? percentileCurve(latencyNs, CURVE_POINTS) : [],
  );
  if (lines.every((line) => line.length === 0)) return [];
  const plot = dotPlot({
    lines,
    columns,
    rows: PLOT_ROWS,
    unicode: screen.unicode,
    x: ninesScale,
    y: (latencies, span) => logarithmicScale(latencies, span, (ns) => transliterate(formatNs(ns), screen)),
  });
  return [screen.paint.faint(chartTitle(title, 'latency', columns)), ...plot];
}

export function chartTitle(title: string, quantity: string, columns: number): string {
  const end = `, ${quantity}`;
  return truncateStart(title, columns - displayWidth(end)) + end;
}
