import { unitDefinitions } from '../../report/amount.js';
import { percentileCurve } from '../../report/measure/percentile-curve.js';
import { endsOf } from '../../report/measure/range.js';
import { primaryRateUnit } from '../../report/rate.js';
import type { Results } from '../../report/results.js';
import { toResults } from '../../report/results-of-report.js';
import type { Measurement } from '../../report/schema/report.js';
import { display } from '../../text/escape.js';
import { formatNs } from '../../text/units.js';
import { type Moment, momentsIn } from '../drawing/moments.js';
import { byNines, linear, logarithmic, type Scale, type Span } from '../drawing/scale.js';
import { measurementsOf, type PhaseOfSides, phasesOfSides, type Side, sidesOf } from '../drawing/side.js';
import { courseOf, type Slot, slotsOf } from '../drawing/slots.js';
import type { Format } from '../format.js';
import { dotPlot } from '../writing/dots.js';
import { folded } from '../writing/fold.js';
import { PLAIN } from '../writing/paint.js';
import { readable, type Screen, screenWidth } from '../writing/screen.js';
import { endOf, widthOf } from '../writing/width.js';

const ROWS = 7;
const POINTS = 200;
const GAP = 3;
/** In narrower windows the two charts of a phase stand below each other. */
const LEAST_FOR_TWO = 76;

/** Charts for people: each phase's rate over time, and its latency by percentile. */
export const chart = chartOn({ columns: 80, unicode: true, paint: PLAIN });

export function chartOn(screen: Screen): Format {
  const render = (results: readonly Results[]) => {
    const sides = sidesOf(results);
    return sides
      .flatMap((side) => linesOf(side, sides.length > 1, screen))
      .map((line) => `${line.trimEnd()}\n`)
      .join('');
  };
  return { end: (report) => render([toResults(report)]), render };
}

function linesOf(side: Side, isOneOfSeveral: boolean, screen: Screen): readonly string[] {
  const charts = phasesOfSides([side]).flatMap((phase) => chartsOf(phase, side, screen));
  const head = isOneOfSeveral ? [`${display(side.name)}:`, ''] : [];
  return [...head, ...(charts.length > 0 ? charts : ['These results hold no rates over time.', ''])];
}

function chartsOf(phase: PhaseOfSides, side: Side, screen: Screen): readonly string[] {
  const measured = measurementsOf([side], phase.phase);
  if (measured.length === 0) return [];
  const courses = measured.map(({ measurement, run }) => {
    const slots = slotsOf(measurement.series, measurement.primaryRate);
    return { ...measurement, slots, moments: momentsIn(measurement, slots, `run ${run}`) };
  });
  const room = screenWidth(screen);
  const isWide = room >= LEAST_FOR_TWO;
  const columns = isWide ? Math.floor((room - GAP) / 2) : room;
  const rate = rateChart(phase, courses, columns, screen);
  const latency = latencyChart(phase, courses, columns, screen);
  const both = isWide
    ? beside(rate, latency, columns)
    : [...rate, ...(latency.length > 0 ? ['', ...latency] : [])];
  const remarks = cliffsIn(courses).flatMap(({ name, words }) =>
    folded(readable(`${name} ${words}`, screen), screen.columns),
  );
  return [...both, ...remarks, ''];
}

function beside(left: readonly string[], right: readonly string[], columns: number): readonly string[] {
  return left.map((line, at) => line + ' '.repeat(columns - widthOf(line) + GAP) + (right[at] ?? ''));
}

interface Course extends Measurement {
  readonly slots: readonly Slot[];
  readonly moments: readonly Moment[];
}

/** A line for each run, from 0 on. */
function rateChart(
  { title, primaryRate }: PhaseOfSides,
  courses: readonly Course[],
  columns: number,
  { unicode, paint }: Screen,
): readonly string[] {
  const { name, divisor } = unitDefinitions[primaryRateUnit({ primaryRate })].chart;
  const lines = courses.map(({ slots }) =>
    courseOf(slots).map(([at, rate]) => [at, rate / divisor] as const),
  );
  const [, highest] = endsOf(lines.flat().map(([, rate]) => rate));
  const [, last] = endsOf(courses.map(({ seconds }) => seconds));
  const plot = dotPlot({
    ...{ lines, columns, rows: ROWS, unicode },
    moments: cliffsIn(courses).map(({ fromSeconds }) => fromSeconds),
    x: (span, mostTicks) =>
      until(
        last,
        linear([0, last], span, (value) => `${value} s`, mostTicks),
        span,
      ),
    y: (span) => linear([0, Math.max(0, highest)], span, String, 3),
  });
  return [paint.faint(headOf(title, name, columns)), ...plot];
}

/** The scale without what is beyond the last value. */
function until(last: number, { ticks }: Scale, [from, to]: Span): Scale {
  return {
    at: (value) => from + (value / last) * (to - from),
    ticks: ticks.filter(({ value }) => value <= last),
  };
}

/** A line for each run. */
function latencyChart(
  { title }: PhaseOfSides,
  courses: readonly Course[],
  columns: number,
  screen: Screen,
): readonly string[] {
  const curves = courses.flatMap(({ latencyNs }) => {
    const curve = latencyNs ? percentileCurve(latencyNs, POINTS) : [];
    return curve.length > 0 ? [curve] : [];
  });
  const all = curves.flat();
  if (all.length === 0) return [];
  const [, highest] = endsOf(all.map(({ share }) => share));
  const lengths = endsOf(all.map(({ ns }) => Math.max(1, ns)));
  const plot = dotPlot({
    ...{ columns, rows: ROWS, unicode: screen.unicode, moments: [] },
    lines: curves.map((curve) => curve.map(({ share, ns }) => [share, Math.max(1, ns)] as const)),
    x: (span) => byNines(highest, span),
    y: (span) => logarithmic(lengths, span, (ns) => readable(formatNs(ns), screen)),
  });
  return [screen.paint.faint(headOf(title, 'latency', columns)), ...plot];
}

function headOf(title: string, quantity: string, columns: number): string {
  const end = `, ${quantity}`;
  return endOf(title, columns - widthOf(end)) + end;
}

/** Marked in the chart, and told below it. */
function cliffsIn(courses: readonly Course[]): readonly Moment[] {
  return courses.flatMap(({ moments }) => moments.filter(({ kind }) => kind === 'cliff'));
}
