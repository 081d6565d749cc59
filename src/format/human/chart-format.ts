import { formatAmount, type MetricUnit, unitDefinitions } from '../../report/amount.js';
import { percentileCurve } from '../../report/measure/latency-summary.js';
import { primaryRateOf, primaryRateUnit } from '../../report/rate.js';
import type { Results } from '../../report/results.js';
import type { Measurement } from '../../report/schema/report.js';
import { averageRuns } from '../../report/statistics/statistics.js';
import { display } from '../../text/escape.js';
import { displayWidth, truncateStart } from '../../text/width.js';
import {
  type ChartedResult,
  type ChartedStep,
  findMeasurements,
  toChartedResults,
  toChartedSteps,
} from '../page/drawing/charted-result.js';
import {
  type Axis,
  latencyAxis,
  ninesScale,
  type Points,
  proportionalScale,
  rateAxis,
} from '../page/drawing/scale.js';
import { rateCurve } from '../page/drawing/timeline.js';
import { latencyCell } from './aligned-table.js';
import { type DotPlot, dotPlot } from './dot-plot.js';
import { plotWidth, type Screen, transliterate } from './screen.js';

const PLOT_ROWS = 7;
const CURVE_POINTS = 200;
export const GAP = 3;
/** In narrower windows, a phase's latency chart is below its rate chart. */
const MIN_COLUMNS_SIDE_BY_SIDE = 76;

/** Draws text charts of each phase's rate over time and its latency by percentile. */
export function chartText(results: readonly Results[], screen: Screen): string {
  const chartedResults = toChartedResults(results);
  const lines = chartedResults.flatMap((result) => {
    const heading = chartedResults.length > 1 ? [`${display(result.name)}:`, ''] : [];
    const charts = toChartedSteps([result]).flatMap((phase) => phaseLines(phase, result, screen));
    return [...heading, ...(charts.length > 0 ? charts : ['These results have no rates over time.', ''])];
  });
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

/** Draws the rates over time from 0, and the latencies by percentile if there are any: a line for each run. */
function phaseLines({ step, title, primaryRate }: ChartedStep, result: ChartedResult, screen: Screen) {
  const measurements = findMeasurements([result], step).map(({ measurement }) => measurement);
  if (measurements.length === 0) return [];
  const width = plotWidth(screen);
  const isWide = width >= MIN_COLUMNS_SIDE_BY_SIDE;
  const columns = isWide ? Math.floor((width - GAP) / 2) : width;
  const draw = (quantity: string, lines: readonly Points[], x: Axis, y: Axis) =>
    titledPlot(title, quantity, { lines, x, y, columns, rows: PLOT_ROWS }, screen);
  const { name, divisor } = unitDefinitions[primaryRateUnit({ primaryRate })].chart;
  const rate = draw(
    name,
    measurements.map((one) => rateCurve(one, divisor)),
    (seconds, span, maxTicks) => proportionalScale(seconds, span, (value) => `${value} s`, maxTicks),
    rateAxis,
  );
  const latencyCurves = measurements.map(({ latencyNs }) =>
    latencyNs ? percentileCurve(latencyNs, CURVE_POINTS) : [],
  );
  const hasLatencies = latencyCurves.some((curve) => curve.length > 0);
  const latency = hasLatencies ? draw('latency', latencyCurves, ninesScale, latencyAxis) : [];
  const below = hasLatencies ? [...rate, '', ...latency] : rate;
  const charts = isWide ? joinSideBySide(rate, latency, columns) : below;
  const numbers = numbersLine(measurements, primaryRateUnit({ primaryRate }));
  return [...charts, transliterate(numbers, screen), ''];
}

/** Returns the means as timed: `1116 MB/s, p50 59.9 µs, p99 400 µs`. */
function numbersLine(measurements: readonly Measurement[], rateUnit: MetricUnit): string {
  const rate = formatAmount(averageRuns(measurements.map(primaryRateOf)), rateUnit);
  const latencies = (['p50', 'p99'] as const).flatMap((name) => {
    const latency = latencyCell(measurements, name);
    return latency === '' ? [] : `${name} ${latency}`;
  });
  return [rate, ...latencies].join(', ');
}

/** Joins two charts. The left one has at least as many lines as the right one. */
export function joinSideBySide(left: readonly string[], right: readonly string[], columns: number) {
  return left.map((line, at) => line + ' '.repeat(columns - displayWidth(line) + GAP) + (right[at] ?? ''));
}

/** Draws a chart below its title. */
export function titledPlot(
  title: string,
  quantity: string,
  plot: Omit<DotPlot, 'unicode'>,
  { paint, unicode }: Screen,
): readonly string[] {
  const end = `, ${quantity}`;
  const shownTitle = truncateStart(title, plot.columns - displayWidth(end)) + end;
  return [paint.faint(shownTitle), ...dotPlot({ ...plot, unicode })];
}
