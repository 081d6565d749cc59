import { formatAmount, unitDefinitions } from '../../report/amount.js';
import { minMax } from '../../report/measure/min-max.js';
import { primaryRateOf, primaryRateUnit } from '../../report/rate.js';
import { formatSeconds, pluralize } from '../../text/units.js';
import type { Area, Chart } from '../drawing/chart.js';
import {
  type ChartedMeasurement,
  type ChartedPhase,
  type ChartedResult,
  describeRun,
  findMeasurements,
  legendEntries,
} from '../drawing/charted-result.js';
import { createFrame } from '../drawing/frame.js';
import { linearScale, spanValues } from '../drawing/scale.js';
import { rateCurve, type Slot, toSlots } from '../drawing/slots.js';
import { timePlot } from '../drawing/time-plot.js';
import { eventMarks, findTimelineEvents, type TimelineEvent } from '../drawing/timeline-events.js';

/** Height of the plot without its legend and its axes. */
const PLOT_HEIGHT = 120;

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
  { phase, title, primaryRate }: ChartedPhase,
  chartedResults: readonly ChartedResult[],
  lastSeconds: number,
): Chart | null {
  const timelines = findMeasurements(chartedResults, phase).map((one) => toRunTimeline(one, chartedResults));
  if (timelines.length === 0) return null;
  const { name: unit, divisor } = unitDefinitions[primaryRateUnit({ primaryRate })].chart;
  const lines = timelines.map(({ result: { name, style }, slots }) => ({
    name,
    style,
    curve: rateCurve(slots),
  }));
  const rates = timelines.flatMap(({ slots }) => slots.map(({ perSecond }) => perSecond / divisor));
  const plot = timePlot(lines, createFrame(legendEntries(chartedResults), PLOT_HEIGHT), {
    divisor,
    lastSeconds,
    titles: ['seconds', unit],
    scale: (area: Area) =>
      linearScale([0, Math.max(0, minMax(rates).max)], [area.bottom, area.top], String, 4),
  });
  return {
    id: `rate-${phase}`,
    heading: title,
    title: `${title}: rate over time`,
    description: describeRates(timelines, primaryRate),
    height: plot.height,
    plot: plot.plot,
    marks: [
      ...eventMarks(
        timelines.flatMap(({ events }) => events),
        plot.x,
        plot.area,
      ),
      ...plot.marks,
    ],
    table: [
      ['', 'mean', 'slowest', 'fastest', 'duration', 'with the sync', 'events'],
      ...timelines.map(tableRow),
    ],
  };
}

interface RunTimeline extends ChartedMeasurement {
  readonly runName: string;
  readonly slots: readonly Slot[];
  readonly events: readonly TimelineEvent[];
}

function toRunTimeline(one: ChartedMeasurement, chartedResults: readonly ChartedResult[]): RunTimeline {
  const { measurement } = one;
  const runName = describeRun(one, chartedResults);
  const slots = toSlots(measurement.series, measurement.primaryRate);
  return { ...one, runName, slots, events: findTimelineEvents(measurement, slots, runName) };
}

function tableRow({ runName, measurement, slots, events }: RunTimeline): readonly string[] {
  const show = (perSecond: number) => formatAmount(perSecond, primaryRateUnit(measurement));
  const rates = slots.map(({ perSecond }) => perSecond);
  return [
    runName,
    show(primaryRateOf(measurement)),
    ...spanValues(rates).map(show),
    formatSeconds(measurement.seconds),
    measurement.durable ? formatSeconds(measurement.durable.seconds) : '',
    events.map(({ description }) => description).join('; '),
  ];
}

function describeRates(timelines: readonly RunTimeline[], primaryRate: ChartedPhase['primaryRate']): string {
  const show = (perSecond: number) => formatAmount(perSecond, primaryRateUnit({ primaryRate }));
  const rates = timelines.flatMap(({ slots }) => slots.map(({ perSecond }) => perSecond));
  const { min, max } = minMax(rates);
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
