import { formatAmount, unitDefinitions } from '../../../report/amount.js';
import { minMax } from '../../../report/measure/min-max.js';
import { primaryRateOf, primaryRateUnit } from '../../../report/rate.js';
import { formatSeconds } from '../../../text/units.js';
import type { Chart } from '../drawing/chart.js';
import { type ChartedResult, type ChartedStep, findMeasurements } from '../drawing/charted-result.js';
import { lineChart } from '../drawing/line-chart.js';
import { linearScale } from '../drawing/scale.js';
import { findTimelines, rateCurve, type Timeline } from '../drawing/timeline.js';

/** Returns the duration of the longest phase including its final sync: the time scale of all charts. */
export function longestSeconds(
  chartedResults: readonly ChartedResult[],
  phases: readonly ChartedStep[],
): number {
  const all = phases.flatMap(({ step }) => findMeasurements(chartedResults, step));
  return minMax(all.map(({ measurement: { seconds, durable } }) => Math.max(seconds, durable?.seconds ?? 0)))
    .max;
}

/** Draws the rate of a phase over time, with one line for each run. Null if no run has the phase. */
export function rateOverTimeChart(
  { step, primaryRate }: ChartedStep,
  chartedResults: readonly ChartedResult[],
  lastSeconds: number,
): Chart | null {
  const timelines = findTimelines(chartedResults, step);
  if (timelines.length === 0) return null;
  const rateUnit = primaryRateUnit({ primaryRate });
  const { name: unit, divisor } = unitDefinitions[rateUnit].chart;
  const show = (perSecond: number) => formatAmount(perSecond, rateUnit);
  return lineChart({
    description: 'Rate as timed, with a line for each run.',
    lines: timelines.map(({ result, slots }) => ({ ...result, points: rateCurve(slots, divisor) })),
    legendEntries: chartedResults,
    plotHeight: 120,
    x: (_, span) => linearScale([0, lastSeconds], span, String, 8),
    y: (rates, span) => linearScale([0, ...rates], span, String, 4),
    xTitle: 'seconds',
    yTitle: unit,
    events: timelines.flatMap(({ events }) => events),
    showsValues: true,
    table: [
      ['', 'mean', 'slowest', 'fastest', 'duration', 'with the sync', 'events'],
      ...timelines.map((timeline) => tableRow(timeline, show)),
    ],
  });
}

function tableRow(timeline: Timeline, show: (perSecond: number) => string): readonly string[] {
  const { runName, measurement, slots, events } = timeline;
  const { min, max } = minMax(slots.map(({ perSecond }) => perSecond));
  return [
    runName,
    show(primaryRateOf(measurement)),
    show(min),
    show(max),
    formatSeconds(measurement.seconds),
    measurement.durable ? formatSeconds(measurement.durable.seconds) : '',
    events.map(({ description }) => description).join('; '),
  ];
}
