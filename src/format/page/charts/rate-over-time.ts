import { formatAmount, unitDefinitions } from '../../../report/amount.js';
import { minMax } from '../../../report/measure/min-max.js';
import { primaryRateOf, primaryRateUnit } from '../../../report/rate.js';
import { formatSeconds, pluralize } from '../../../text/units.js';
import type { Chart } from '../drawing/chart.js';
import { type ChartedPhase, type ChartedResult, findMeasurements } from '../drawing/charted-result.js';
import { lineChart } from '../drawing/line-chart.js';
import { linearScale } from '../drawing/scale.js';
import { findTimelines, rateCurve, type Timeline, type TimelineEvent } from '../drawing/timeline.js';

/** Returns the duration of the longest phase including its final sync: the time scale of all charts. */
export function longestSeconds(
  chartedResults: readonly ChartedResult[],
  phases: readonly ChartedPhase[],
): number {
  const all = phases.flatMap(({ phase }) => findMeasurements(chartedResults, phase));
  const { max: longest } = minMax(
    all.map(({ measurement: { seconds, durable } }) => Math.max(seconds, durable?.seconds ?? 0)),
  );
  return longest;
}

/** Draws the rate of a phase over time, with one line for each run. Null if no run has the phase. */
export function rateOverTimeChart(
  { phase, primaryRate }: ChartedPhase,
  chartedResults: readonly ChartedResult[],
  lastSeconds: number,
): Chart | null {
  const timelines = findTimelines(chartedResults, phase);
  if (timelines.length === 0) return null;
  const rateUnit = primaryRateUnit({ primaryRate });
  const { name: unit, divisor } = unitDefinitions[rateUnit].chart;
  const show = (perSecond: number) => formatAmount(perSecond, rateUnit);
  return lineChart({
    description: describeRates(timelines, show),
    lines: timelines.map(({ result: { name, style }, slots }) => ({
      name,
      style,
      points: rateCurve(slots, divisor),
    })),
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

function allRates(timelines: readonly Timeline[]): readonly number[] {
  return timelines.flatMap(({ slots }) => slots.map(({ perSecond }) => perSecond));
}

function tableRow(timeline: Timeline, show: (perSecond: number) => string): readonly string[] {
  const { runName, measurement, events } = timeline;
  const { min, max } = minMax(allRates([timeline]));
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

function describeRates(timelines: readonly Timeline[], show: (perSecond: number) => string): string {
  const { min, max } = minMax(allRates(timelines));
  const low = show(min);
  const high = show(max);
  const between = `${low === high ? low : `between ${low} and ${high}`} as timed`;
  const events = timelines.flatMap((one) => one.events);
  const countEvents = (kind: TimelineEvent['kind']) => events.filter((one) => one.kind === kind).length;
  const cliffs = countEvents('cliff');
  const standstills = countEvents('standstill');
  const sentences = [
    timelines.length > 1
      ? `In ${timelines.length} runs, the rate was ${between}.`
      : `The rate was ${between}.`,
  ];
  if (cliffs > 0) sentences.push(`It fell and remained low in ${pluralize(cliffs, 'run')}.`);
  if (standstills > 0) {
    const times = standstills === 1 ? 'once' : `${standstills} times`;
    sentences.push(`It was 0 for half a second or more ${times}.`);
  }
  return sentences.join(' ');
}
