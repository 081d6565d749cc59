import { formatAmount, type MetricUnit, unitDefinitions } from '../../report/amount.js';
import { percentileCurve } from '../../report/measure/latency-summary.js';
import { metricOfRuns } from '../../report/metrics.js';
import { primaryRateUnit } from '../../report/rate.js';
import type { Results, StepValues } from '../../report/results.js';
import { display } from '../../text/escape.js';
import { displayWidth, truncateStart } from '../../text/width.js';
import { toText } from '../../text/wrap.js';
import {
  type ChartedResult,
  type ChartedStep,
  findMeasurements,
  findRows,
  toChartedResults,
  toChartedSteps,
} from '../page/drawing/charted-result.js';
import { latencyAxis, ninesScale, rateAxis, secondsAxis } from '../page/drawing/scale.js';
import { rateCurve } from '../page/drawing/timeline.js';
import { type DotPlot, dotPlot } from './dot-plot.js';
import type { Screen } from './screen.js';
import { latencyCell } from './step-table.js';

const PLOT_ROWS = 7;
const CURVE_POINTS = 200;
const GAP = 3;
/** Wider plots are no clearer. */
const MAX_PLOT_COLUMNS = 120;
/** In narrower windows, the second plot is below the first one. */
const MIN_COLUMNS_SIDE_BY_SIDE = 76;

/** Draws text charts of each phase's rate over time and its latency by percentile. */
export function chartText(results: readonly Results[], screen: Screen): string {
  const chartedResults = toChartedResults(results);
  const lines = chartedResults.flatMap((result) => {
    const heading = chartedResults.length > 1 ? [`${display(result.name)}:`, ''] : [];
    const charts = toChartedSteps([result]).flatMap((phase) => phaseLines(phase, result, screen));
    return [...heading, ...(charts.length > 0 ? charts : ['These results have no rates over time.', ''])];
  });
  return toText(lines);
}

/** Draws the rates over time from 0, and the latencies by percentile if there are any: a line for each run. */
function phaseLines({ step, title, primaryRate }: ChartedStep, result: ChartedResult, screen: Screen) {
  const measurements = findMeasurements(result, step);
  if (measurements.length === 0) return [];
  const rateUnit = primaryRateUnit({ primaryRate });
  const { name, divisor } = unitDefinitions[rateUnit].chart;
  const rates = measurements.map((one) => rateCurve(one, divisor));
  const latencies = measurements.map(({ latencyNs }) => percentileCurve([latencyNs], CURVE_POINTS));
  const plots: QuantityPlot[] = [{ quantity: name, lines: rates, x: secondsAxis, y: rateAxis }];
  if (latencies.some((curve) => curve.length > 0))
    plots.push({ quantity: 'latency', lines: latencies, x: ninesScale, y: latencyAxis });
  const numbers = numbersLine(findRows(result, step), rateUnit);
  return [...drawPlots(title, plots, PLOT_ROWS, screen), numbers, ''];
}

/** Returns the means as timed: `1116 MB/s, p50 59.9 µs, p99 400 µs`. */
function numbersLine(rows: readonly StepValues[], rateUnit: MetricUnit): string {
  const rate = formatAmount(metricOfRuns(rows, 'timed') ?? 0, rateUnit);
  const latencies = (['p50', 'p99'] as const).flatMap((name) => {
    const latency = latencyCell(rows, name);
    return latency === '' ? [] : `${name} ${latency}`;
  });
  return [rate, ...latencies].join(', ');
}

interface QuantityPlot extends Pick<DotPlot, 'lines' | 'x' | 'y'> {
  readonly quantity: string;
}

/** Draws one or two plots, each below its title, side by side if the window is wide enough. */
export function drawPlots(title: string, plots: readonly QuantityPlot[], rows: number, screen: Screen) {
  const width = Math.min(MAX_PLOT_COLUMNS, screen.columns - 1);
  const isWide = width >= MIN_COLUMNS_SIDE_BY_SIDE;
  const columns = isWide ? Math.floor((width - GAP) / 2) : width;
  const [first = [], second = []] = plots.map(({ quantity, ...plot }) => {
    const end = `, ${quantity}`;
    const shownTitle = truncateStart(title, columns - displayWidth(end)) + end;
    return [screen.paint.faint(shownTitle), ...dotPlot({ ...plot, columns, rows })];
  });
  if (isWide)
    return first.map(
      (line, at) => line + ' '.repeat(columns - displayWidth(line) + GAP) + (second[at] ?? ''),
    );
  return second.length === 0 ? first : [...first, '', ...second];
}
