import { formatAmount, formatShare } from '../../report/amount.js';
import { metricOfRuns } from '../../report/metrics.js';
import { isServedByDevice, primaryRateUnit } from '../../report/rate.js';
import type { StepValues } from '../../report/results.js';
import type { Measurement } from '../../report/schema/report.js';
import { averageRuns } from '../../report/statistics/statistics.js';
import { isOfTool } from '../../report/tool-calls.js';
import { type Attributes, escapeMarkup, type Markup, tag } from '../../text/markup.js';
import { pluralize } from '../../text/units.js';
import { latencyCell, rateTexts } from '../human/step-table.js';
import { textTag } from './document.js';
import {
  type ChartedResult,
  type ChartedStep,
  findMeasurements,
  findRows,
} from './drawing/charted-result.js';
import { areaMark, PLOT_WIDTH, polylineMark } from './drawing/plot.js';
import { linearScale, type Points, secondsAxis } from './drawing/scale.js';
import { computeBand, hasPauses, resultCurve } from './drawing/timeline.js';

/** The numbers of a step as text, the same in every part of a page. */
export type StepNumbers = ReturnType<typeof stepNumbers>[number];

const SPARK_HEIGHT = 40;
const SPARK_PARTS = 80;

export function stepNumbers(result: ChartedResult, steps: readonly ChartedStep[]) {
  return steps.flatMap((step) => {
    const rows = findRows(result, step.step);
    if (rows.length === 0) return [];
    const measurements = findMeasurements(result, step.step);
    const { mean, margin: within, range } = rateTexts(rows);
    // Pauses determine the rate.
    const isPaced = measurements.some(hasPauses);
    const rate = isPaced ? latencyCell(rows, 'p50') : mean;
    /** The width of the confidence interval, if known, and the number of runs. */
    const margin = [within || range, pluralize(rows.length, 'run')].filter(Boolean).join(' over ');
    const names = ['p50', 'p99', 'max'] as const;
    const latencies = names
      .map((name) => ({ name, text: latencyCell(rows, name) }))
      .filter((one) => one.text);
    // Other programs report no source.
    const source = measurements.length === 0 ? null : describeSource(rows, measurements, result);
    const aside = describeCache(step, rate, rows, measurements);
    return [{ step, isPaced, rate, margin, latencies, source, aside }];
  });
}

function describeSource(
  rows: readonly StepValues[],
  measurements: readonly Measurement[],
  { report }: ChartedResult,
) {
  if (report?.target.isMemory) return { text: 'in memory', tone: 'plain' };
  // The page cache is part of what developer tools use.
  if (measurements.every(isOfTool)) return null;
  const share = metricOfRuns(rows, 'share');
  if (share === null) return { text: 'source unknown', tone: 'warn' };
  const isServed = measurements.every(({ device }) => isServedByDevice(device.share));
  const isWrite = measurements.every(({ readBytes }) => readBytes === 0);
  const place = isWrite ? 'reached the device' : 'from the device';
  if (!isServed) return { text: `only ${formatShare(share)} ${place}`, tone: 'warn' };
  if (measurements.every(({ direct }) => direct))
    return { text: `${formatShare(share)} by direct I/O`, tone: 'ok' };
  const step = report?.options.steps?.find(({ name }) => name === measurements[0]?.step) ?? report?.options;
  const isSynced = isWrite && step?.fsync === true;
  return { text: `${formatShare(share)} ${isSynced ? 'on the device, synced' : place}`, tone: 'ok' };
}

/** Returns the rate with the page cache's help, the rate of cached data, or why the rate is unknown. */
function describeCache(
  step: ChartedStep,
  rate: string,
  rows: readonly StepValues[],
  measurements: readonly Measurement[],
): string {
  const unit = primaryRateUnit(step);
  const cached = measurements.map((one) => one.cached?.[unit]).filter((one) => one !== undefined);
  if (cached.length > 0) return `${formatAmount(averageRuns(cached), unit)} with the page cache`;
  if (rate === 'unknown' && measurements.length > 0) {
    const timed = `${formatAmount(metricOfRuns(rows, 'timed') ?? 0, unit)} as timed`;
    return [timed, measurements[0]?.device.reason].filter(Boolean).join('; ');
  }
  const ceiling = metricOfRuns(rows, 'ceiling');
  return ceiling === null ? '' : `page cache: ${formatAmount(ceiling, unit)}`;
}

export function stepCard(numbers: StepNumbers, result: ChartedResult): Markup {
  const { step, rate, margin, latencies, source, aside } = numbers;
  const { number, unit } = splitRate(rate);
  const items = latencies.map(({ name, text }) => tag('div', {}, textTag('dt', name), textTag('dd', text)));
  return tag(
    'article',
    { class: 'card' },
    textTag('h2', step.title),
    ...(step.detail === '' ? [] : [tag('div', { class: 'note' }, escapeMarkup(step.detail))]),
    tag('div', { class: 'big' }, escapeMarkup(number), textTag('small', unit)),
    textTag('div', margin, 'note'),
    ...sparkline(step, result),
    ...(items.length === 0 ? [] : [tag('dl', { class: 'numbers' }, ...items)]),
    ...(source ? [textTag('span', source.text, `chip ${source.tone}`)] : []),
    ...(aside === '' ? [] : [textTag('div', aside, 'note')]),
  );
}

/** Splits `953.1 MB/s` and `27561/s`. */
export function splitRate(rate: string) {
  const [, number = rate, unit = ''] = /^([\d.e+-]+) ?(.*)$/.exec(rate) ?? [];
  return { number, unit };
}

/** Draws the rate or the latency over time from 0, the median of the runs. Empty for results of other programs. */
export function sparkline(step: ChartedStep, result: ChartedResult, position: Attributes = {}) {
  const curves = findMeasurements(result, step.step).map((one) => resultCurve(one));
  const band = computeBand(curves, SPARK_PARTS);
  const seconds = band.map((part) => part.x);
  const rates = band.map((part) => part.median);
  const x = secondsAxis(seconds, [0, PLOT_WIDTH]);
  const y = linearScale([0, ...rates], [SPARK_HEIGHT, 2], String);
  const line = band.map((part) => [x.at(part.x), y.at(part.median)] as const);
  const [first] = line;
  const last = line.at(-1);
  if (!first || !last) return [];
  const area: Points = [...line, [last[0], SPARK_HEIGHT], [first[0], SPARK_HEIGHT]];
  const size = { width: '100%', height: SPARK_HEIGHT, viewBox: `0 0 ${PLOT_WIDTH} ${SPARK_HEIGHT}` };
  const style = { class: 'spark', preserveAspectRatio: 'none', 'aria-hidden': 'true' };
  const marks = [areaMark(area, step.hue), polylineMark(line, step.hue)];
  return [tag('svg', { ...style, ...size, ...position }, ...marks)];
}
