import { formatAmount } from '../../../report/amount.js';
import { primaryRateOf, primaryRateUnit } from '../../../report/rate.js';
import { computeMean, minMax } from '../../../report/statistics/statistics.js';
import { formatSeconds } from '../../../text/units.js';
import type { Chart } from '../drawing/chart.js';
import type { ChartedResult, ChartedResults, ChartedStep } from '../drawing/charted-result.js';
import { type ChartRow, rowChart } from '../drawing/row-chart.js';
import { proportionalScale } from '../drawing/scale.js';
import { findTimelines, rateMarks } from '../drawing/timeline.js';

const MAX_LINES = 10;
/** The height of a curve, around the middle of its row. */
const CURVE = { top: -11, bottom: 11 };

/** Draws the rate of every step over time in a row of its own. Null without a measurement. */
export function stepRatesChart(steps: readonly ChartedStep[], results: ChartedResults): Chart | null {
  const rows = steps.flatMap((step) =>
    results.map((result) => toRow(step, result, results.length > 1)).filter((row) => row !== null),
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

function toRow(
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
