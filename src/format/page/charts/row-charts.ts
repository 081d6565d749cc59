import { DEFAULT_MAX_REGRESSION_PERCENT, labelChange } from '../../../compare/comparison.js';
import type { Comparison } from '../../../compare/comparison-schema.js';
import { formatAmount, formatShare } from '../../../report/amount.js';
import { stepsByHost } from '../../../report/host-summary.js';
import { metricValues, rateMetric } from '../../../report/metrics.js';
import { findMemoryCeiling, primaryRateOf, primaryRateUnit } from '../../../report/rate.js';
import { completeRuns, groupByStep } from '../../../report/results.js';
import { computeMean, computeStatistics, minMax } from '../../../report/statistics/statistics.js';
import { meanDeviceShare } from '../../../report/step-results.js';
import { sanitize } from '../../../text/escape.js';
import { formatSeconds, signedDecimal, signedWithUnit } from '../../../text/units.js';
import { differenceTexts } from '../../human/comparison-format.js';
import { describeComparison } from '../../human/conclusion.js';
import { HOST_COLUMNS } from '../../human/host-lines.js';
import { boxMark, type Chart, lineMark, textMark } from '../drawing/chart.js';
import {
  type ChartedResult,
  type ChartedResults,
  type ChartedStep,
  findMeasurements,
} from '../drawing/charted-result.js';
import { AXIS, CAUTION, GREY_AREA, lineStyle } from '../drawing/line-style.js';
import { barMark, type ChartRow, dotMark, intervalMarks, rowChart } from '../drawing/row-chart.js';
import { linearScale, proportionalScale, type Scale } from '../drawing/scale.js';
import { findTimelines, rateMarks } from '../drawing/timeline.js';

/** Draws each timed rate, the device's share of it, and the page cache's rate. Null without a measurement. */
export function deviceShareChart(phases: readonly ChartedStep[], results: ChartedResults): Chart | null {
  const rows = phases.flatMap((phase) =>
    results.flatMap((result) => deviceShareRows(phase, result, results.length > 1)),
  );
  if (rows.length === 0) return null;
  return rowChart({
    description:
      'Each rate as timed. The filled part came from the device; the red mark is the rate of the page cache.',
    right: 450,
    x: (span) => proportionalScale(1, span),
    heads: ['as timed', 'from the device', 'page cache'],
    rows,
  });
}

function deviceShareRows(
  { step, title, primaryRate }: ChartedStep,
  result: ChartedResult,
  isOneOfSeveral: boolean,
): readonly ChartRow[] {
  const measurements = findMeasurements([result], step).map(({ measurement }) => measurement);
  if (measurements.length === 0) return [];
  const unit = primaryRateUnit({ primaryRate });
  const rate = computeMean(measurements.map((one) => one[unit]));
  const ceiling = findMemoryCeiling(step, result.source.report?.memoryCeiling);
  const share = meanDeviceShare(measurements);
  const fullScale = Math.max(rate, ceiling ?? 0) || 1;
  const { stroke, fill } = result.style;
  const rateText = formatAmount(rate, unit);
  const shareText = share === null ? 'unknown' : formatShare(share);
  const ceilingText = ceiling === null ? '' : formatAmount(ceiling, unit);
  // The device's part of the bar is filled, the cached part is empty. A bar of unknown share is dotted.
  const marks = (x: Scale['at']) => {
    const dashes = share === null ? '2 3' : undefined;
    const bar = { ...stroke, fill: 'none', 'stroke-dasharray': dashes };
    const all = [barMark(x(0), x(rate / fullScale), bar)];
    if (share !== null) all.push(barMark(x(0), x((rate / fullScale) * share), fill));
    const at = x((ceiling ?? 0) / fullScale);
    if (ceiling !== null) all.push(lineMark([at, -11], [at, 11], { ...CAUTION, 'stroke-width': 2 }));
    return all;
  };
  const detail = isOneOfSeveral ? `, ${result.name}` : '';
  const values = `${rateText}, ${shareText} from the device`;
  return [{ name: title, detail, values, marks, cells: [rateText, shareText, ceilingText] }];
}

/** Number of the slowest hosts of each result that the chart shows. The table has every host. */
const MAX_ROWS = 24;

/** Draws the rate of each host in a phase, the slowest host first. Null with fewer than two hosts. */
export function hostsChart({ step, primaryRate }: ChartedStep, results: ChartedResults): Chart | null {
  const show = (perSecond: number) => formatAmount(perSecond, primaryRateUnit({ primaryRate }));
  const rates: number[] = [];
  const rows = results.flatMap(({ name: resultName, style, source: { report } }) => {
    const hosts = report?.job ? stepsByHost(report).find((one) => one.step === step)?.rows : [];
    return (hosts ?? []).map((host, at): ChartRow => {
      const name = sanitize(host.name);
      const rate = show(host.timedPerSecond);
      rates.push(host.timedPerSecond);
      return {
        detail: results.length > 1 ? `${resultName}: ${name}` : name,
        values: `${rate}${host.isOutlier ? ', an outlier' : ''}`,
        marks: (x) => [barMark(x(0), x(host.timedPerSecond), style.fill)],
        cells: [
          rate,
          host.perSecond === null ? 'unknown' : show(host.perSecond),
          ...HOST_COLUMNS.map(({ cell }) => cell(host)),
        ],
        isOnlyInTable: at >= MAX_ROWS,
      };
    });
  });
  if (rows.length < 2) return null;
  return rowChart({
    description: 'Rate of each host as timed, the slowest first.',
    right: 480,
    x: (span) => proportionalScale(minMax(rates).max, span),
    heads: ['as timed', 'on the disk', ...HOST_COLUMNS.map(({ head }) => head)],
    rows,
  });
}

/** Larger changes are drawn at the edge. */
const MAX_SHOWN_PERCENT = 200;

/** Draws a dot for each run's rate, and each result's mean with its interval. Null for fewer than two runs. */
export function spreadChart({ step, primaryRate }: ChartedStep, results: ChartedResults): Chart | null {
  const show = (value: number) => formatAmount(value, primaryRateUnit({ primaryRate }));
  const bounds: number[] = [];
  const allValues: number[] = [];
  const rows = results.flatMap(({ name, style, source }): readonly ChartRow[] => {
    const found = groupByStep(completeRuns([source])).find(([first]) => first.step === step);
    const values = found ? metricValues(found, rateMetric).values : [];
    if (values.length === 0) return [];
    const { mean, confidence95, min, max, runs } = computeStatistics(values);
    const interval = confidence95 ? `${show(confidence95.low)} to ${show(confidence95.high)}` : '';
    allValues.push(...values);
    bounds.push(min, max, confidence95?.low ?? min, confidence95?.high ?? max);
    return [
      {
        detail: name,
        marks: (x) => [
          ...values.map((value) => dotMark(x(value), 3.5, { ...style.fill, 'fill-opacity': 0.45 })),
          ...intervalMarks(confidence95, x, style),
          lineMark([x(mean), -9], [x(mean), 9], { ...style.stroke, 'stroke-width': 3 }),
        ],
        cells: [show(mean), interval, show(min), show(max), String(runs)],
      },
    ];
  });
  if (allValues.length < 2) return null;
  return rowChart({
    description: 'Each dot is a run; the bar is the mean, and the line its 95 % confidence interval.',
    right: 680,
    x: (span) => linearScale(bounds, span, show, 4),
    heads: ['mean', '95 % interval', 'lowest', 'highest', 'runs'],
    rows,
  });
}

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
    x: (span) => {
      const show = (value: number) => signedWithUnit(value).replace(/\.0 /, ' ');
      const { at, ticks } = linearScale([-limit, limit, ...bounds].map(clampPercent), span, show);
      return { at: (value) => at(clampPercent(value)), ticks };
    },
    // The allowed regression as a band, and a line at 0.
    background: (x, { top, bottom }) => [
      boxMark({ left: x(-limit), right: x(limit), top, bottom }, GREY_AREA),
      lineMark([x(0), top], [x(0), bottom], AXIS),
      textMark(x(0), top - 8, `within ${limit} %`, 'middle', true),
    ],
    heads: ['change', 'range', 'verdict'],
    rows,
  });
}

function clampPercent(value: number): number {
  return Math.max(-100, Math.min(MAX_SHOWN_PERCENT, value));
}

const MAX_LINES = 10;
/** The height of a curve, around the middle of its row. */
const CURVE = { top: -11, bottom: 11 };

/** Draws the rate of every step over time in a row of its own. Null without a measurement. */
export function stepRatesChart(steps: readonly ChartedStep[], results: ChartedResults): Chart | null {
  const rows = steps.flatMap((step) =>
    results.map((result) => stepRatesRow(step, result, results.length > 1)).filter((row) => row !== null),
  );
  if (rows.length === 0) return null;
  return rowChart({
    description:
      'Rate as timed, from the start to the end of each step, with a line for each run. Each row begins at 0 and has its own scale.',
    right: 520,
    x: (span) => proportionalScale(1, span),
    heads: ['mean', 'slowest', 'fastest', 'duration', 'events'],
    rows,
  });
}

function stepRatesRow(
  { step, title, primaryRate }: ChartedStep,
  result: ChartedResult,
  isOneOfSeveral: boolean,
): ChartRow | null {
  const timelines = findTimelines([result], step);
  if (timelines.length === 0) return null;
  const show = (perSecond: number) => formatAmount(perSecond, primaryRateUnit({ primaryRate }));
  const { min, max } = minMax(timelines.flatMap(({ slots }) => slots.map(({ perSecond }) => perSecond)));
  const mean = show(computeMean(timelines.map(({ measurement }) => primaryRateOf(measurement))));
  const duration = formatSeconds(computeMean(timelines.map(({ measurement }) => measurement.seconds)));
  const events = timelines.flatMap((one) => one.events.map((event) => `${one.runName} ${event.description}`));
  return {
    name: title,
    detail: isOneOfSeveral ? `, ${result.name}` : '',
    values: `${mean} in ${duration}`,
    marks: (x) => rateMarks(timelines.slice(0, MAX_LINES), { ...CURVE, left: x(0), right: x(1) }),
    cells: [mean, show(min), show(max), duration, events.join('; ')],
  };
}
