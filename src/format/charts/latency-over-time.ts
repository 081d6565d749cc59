import { endsOf } from '../../report/measure/range.js';
import { formatNs } from '../../text/units.js';
import type { Area, Chart } from '../drawing/chart.js';
import { lookOf } from '../drawing/colours.js';
import { frame } from '../drawing/frame.js';
import { type Course, level } from '../drawing/lines.js';
import { logarithmic } from '../drawing/scale.js';
import {
  keyOf,
  type Measured,
  measurementsOf,
  nameOf,
  type PhaseOfSides,
  type Side,
} from '../drawing/side.js';
import { drawn } from '../drawing/time-plot.js';

const PLOT_HEIGHT = 140;

type Name = 'p50' | 'p99' | 'max';
const NAMES = ['p50', 'p99', 'max'] as const;

/** The latency of a phase over time: of a single run three lines, of several the p99 of each. Null if it is unknown. */
export function latencyOverTime(
  { phase, title }: PhaseOfSides,
  sides: readonly Side[],
  lastSeconds: number,
): Chart | null {
  const measured = measurementsOf(sides, phase).filter(({ measurement }) => measurement.series.latencyNs);
  const [only, ...others] = measured;
  if (!only) return null;
  const isSingle = others.length === 0;
  const lines = isSingle
    ? NAMES.map((name, at) => ({ name: name as string, look: lookOf(at), course: courseOf(only, name) }))
    : measured.map((one) => ({ name: one.side.name, look: one.side.look, course: courseOf(one, 'p99') }));
  const values = lines.flatMap(({ course }) => course.map(([, ns]) => ns));
  if (values.length === 0) return null;
  const plot = drawn(lines, frame(keyOf(isSingle ? lines : sides), PLOT_HEIGHT), {
    divisor: 1,
    lastSeconds,
    titles: ['seconds', isSingle ? 'latency' : 'p99'],
    scale: (area: Area) => logarithmic(endsOf(values), [area.bottom, area.top], formatNs),
  });
  return {
    id: `latency-over-time-${phase}`,
    heading: title,
    title: `${title}: latency over time`,
    sentence: sentenceOf(values, isSingle),
    height: plot.height,
    marks: plot.marks,
    table: [
      ['', 'lowest p50', 'highest p50', 'lowest p99', 'highest p99', 'longest'],
      ...measured.map((one) => {
        const [p50, p99, max] = NAMES.map((name) => courseOf(one, name).map(([, ns]) => ns));
        const ends = [p50, p99].flatMap((all = []) => endsOf(all).map(formatNs));
        return [nameOf(one, sides), ...ends, formatNs(endsOf(max ?? [])[1])];
      }),
    ],
  };
}

/** Slots in which no operation ended are left out. */
function courseOf({ measurement: { series } }: Measured, name: Name): Course {
  return (series.latencyNs?.[name] ?? []).flatMap((ns, at) => {
    if (ns === null) return [];
    return level(series.seconds[at - 1] ?? 0, series.seconds[at] ?? 0, Math.max(1, ns));
  });
}

function sentenceOf(values: readonly number[], isSingle: boolean): string {
  const [low, high] = endsOf(values).map(formatNs);
  return isSingle
    ? `In each tenth of a second: half of the operations took at most p50, 99 % at most p99, the longest max; from ${low} to ${high}.`
    : `What 99 % of the operations took at most, in each tenth of a second of each run: from ${low} to ${high}.`;
}
