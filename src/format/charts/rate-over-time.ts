import { unitDefinitions, formatAmount } from '../../report/amount.js';
import { endsOf } from '../../report/measure/range.js';
import { primaryRateOf, primaryRateUnit } from '../../report/rate.js';
import { pluralize, formatSeconds } from '../../text/units.js';
import type { Area, Chart } from '../drawing/chart.js';
import { frame } from '../drawing/frame.js';
import { type Moment, momentMarks, momentsIn } from '../drawing/moments.js';
import { linear } from '../drawing/scale.js';
import {
  keyOf,
  type Measured,
  measurementsOf,
  nameOf,
  type PhaseOfSides,
  type Side,
} from '../drawing/side.js';
import { courseOf, type Slot, slotsOf } from '../drawing/slots.js';
import { drawn } from '../drawing/time-plot.js';

/** How high the plot is, without its key and its axes. */
const PLOT_HEIGHT = 120;

/** How long the longest of all phases takes, until all was on the device: the time scale of all charts. */
export function longestSeconds(sides: readonly Side[], phases: readonly PhaseOfSides[]): number {
  const all = phases.flatMap(({ phase }) => measurementsOf(sides, phase));
  const [, longest] = endsOf(
    all.map(({ measurement: { seconds, durable } }) => Math.max(seconds, durable?.seconds ?? 0)),
  );
  return longest;
}

/** The rate of a phase over time, one line for each run. Null if no run has it. */
export function rateOverTime(
  { phase, title, primaryRate }: PhaseOfSides,
  sides: readonly Side[],
  lastSeconds: number,
): Chart | null {
  const measured = measurementsOf(sides, phase).map((one) => told(one, sides));
  if (measured.length === 0) return null;
  const { name: unit, divisor } = unitDefinitions[primaryRateUnit({ primaryRate })].chart;
  const lines = measured.map(({ side: { name, look }, slots }) => ({
    ...{ name, look, course: courseOf(slots) },
  }));
  const rates = measured.flatMap(({ slots }) => slots.map(({ perSecond }) => perSecond / divisor));
  const plot = drawn(lines, frame(keyOf(sides), PLOT_HEIGHT), {
    divisor,
    lastSeconds,
    titles: ['seconds', unit],
    scale: (area: Area) => linear([0, Math.max(0, endsOf(rates)[1])], [area.bottom, area.top], String, 4),
  });
  return {
    id: `rate-${phase}`,
    heading: title,
    title: `${title}: rate over time`,
    sentence: sentenceOf(measured, primaryRate),
    height: plot.height,
    plot: plot.plot,
    marks: [
      ...momentMarks(
        measured.flatMap(({ moments }) => moments),
        plot.x,
        plot.area,
      ),
      ...plot.marks,
    ],
    table: [
      ['', 'mean', 'slowest', 'fastest', 'duration', 'until on the device', 'what happened'],
      ...measured.map(rowOf),
    ],
  };
}

interface Told extends Measured {
  readonly name: string;
  readonly slots: readonly Slot[];
  readonly moments: readonly Moment[];
}

function told(one: Measured, sides: readonly Side[]): Told {
  const { measurement } = one;
  const name = nameOf(one, sides);
  const slots = slotsOf(measurement.series, measurement.primaryRate);
  return { ...one, name, slots, moments: momentsIn(measurement, slots, name) };
}

function rowOf({ name, measurement, slots, moments }: Told): readonly string[] {
  const show = (perSecond: number) => formatAmount(perSecond, primaryRateUnit(measurement));
  const rates = slots.map(({ perSecond }) => perSecond);
  return [
    name,
    show(primaryRateOf(measurement)),
    ...endsOf(rates).map(show),
    formatSeconds(measurement.seconds),
    measurement.durable ? formatSeconds(measurement.durable.seconds) : '',
    moments.map(({ words }) => words).join('; '),
  ];
}

function sentenceOf(measured: readonly Told[], primaryRate: PhaseOfSides['primaryRate']): string {
  const show = (perSecond: number) => formatAmount(perSecond, primaryRateUnit({ primaryRate }));
  const rates = measured.flatMap(({ slots }) => slots.map(({ perSecond }) => perSecond));
  const [low, high] = endsOf(rates).map(show);
  const between = `${low === high ? low : `between ${low} and ${high}`} as timed`;
  const moments = measured.flatMap((one) => one.moments);
  const [standstills = 0, cliffs = 0] = (['standstill', 'cliff'] as const).map(
    (kind) => moments.filter((one) => one.kind === kind).length,
  );
  return [
    measured.length > 1 ? `In ${measured.length} runs the rate was ${between}.` : `The rate was ${between}.`,
    ...(cliffs > 0 ? [`It fell and stayed low in ${pluralize(cliffs, 'run')}.`] : []),
    ...(standstills > 0
      ? [`Nothing was done for half a second or more ${standstills === 1 ? 'once' : `${standstills} times`}.`]
      : []),
  ].join(' ');
}
