import { amounts } from '../../report/amount.js';
import { percentileCurve } from '../../report/measure/percentile-curve.js';
import { rateUnitOf } from '../../report/rate.js';
import type { Results } from '../../report/results.js';
import { resultsOfReport } from '../../report/results-of-report.js';
import { endsOf } from '../../report/statistics/statistics.js';
import { shown } from '../../text/escape.js';
import { showNs, showSeconds } from '../../text/units.js';
import { longestSeconds } from '../charts/rate-over-time.js';
import { linear, logarithmic, type Scale, type Span } from '../drawing/scale.js';
import {
  type Measured,
  measurementsOf,
  type PhaseOfSides,
  phasesOfSides,
  type Side,
  sidesOf,
} from '../drawing/side.js';
import { slotsOf } from '../drawing/slots.js';
import type { Format } from '../format.js';
import { dotPlot } from '../writing/dots.js';
import { PLAIN } from '../writing/paint.js';
import { widthOf } from '../writing/width.js';
import { readable, type Screen, screenWidth } from './screen.js';

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
  return { end: (report) => render([resultsOfReport(report)]), render };
}

function linesOf(side: Side, isOneOfSeveral: boolean, screen: Screen): readonly string[] {
  const phases = phasesOfSides([side]);
  const last = longestSeconds([side], phases);
  const charts = phases.flatMap((phase) => chartsOf(phase, side, last, screen));
  const head = isOneOfSeveral ? [`${shown(side.name)}:`, ''] : [];
  return [...head, ...(charts.length > 0 ? charts : ['These results hold no rates over time.', ''])];
}

function chartsOf(phase: PhaseOfSides, side: Side, lastSeconds: number, screen: Screen): readonly string[] {
  const measured = measurementsOf([side], phase.phase);
  if (measured.length === 0) return [];
  const room = screenWidth(screen);
  const isWide = room >= LEAST_FOR_TWO;
  const columns = isWide ? Math.floor((room - GAP) / 2) : room;
  const rate = rateChart(phase, measured, lastSeconds, columns, screen);
  const latency = latencyChart(phase, measured, columns, screen);
  const both = isWide
    ? beside(rate, latency, columns)
    : [...rate, ...(latency.length > 0 ? ['', ...latency] : [])];
  return [...both, ...remarks(measured, phase).map((line) => readable(line, screen)), ''];
}

function beside(left: readonly string[], right: readonly string[], columns: number): readonly string[] {
  return left.map((line, at) => line + ' '.repeat(columns - widthOf(line) + GAP) + (right[at] ?? ''));
}

/** A line for each run, from 0 on. */
function rateChart(
  { title, figure }: PhaseOfSides,
  measured: readonly Measured[],
  lastSeconds: number,
  columns: number,
  { unicode, paint }: Screen,
): readonly string[] {
  const { name, divisor } = amounts[rateUnitOf({ figure })].chart;
  const lines = measured.map(({ measurement: { series } }) =>
    slotsOf(series, figure).flatMap(({ fromSeconds, toSeconds, perSecond }) =>
      [fromSeconds, toSeconds].map((seconds) => [seconds, perSecond / divisor] as const),
    ),
  );
  const [, highest] = endsOf([0, ...lines.flat().map(([, rate]) => rate)]);
  const plot = dotPlot({
    ...{ lines, columns, rows: ROWS, unicode },
    moments: measured.flatMap(({ measurement }) => measurement.cliff?.atSeconds ?? []),
    x: (span, mostTicks) =>
      until(
        lastSeconds,
        linear([0, lastSeconds], span, (value) => `${value} s`, mostTicks),
        span,
      ),
    y: (span) => linear([0, highest], span, String, 3),
  });
  return [paint.faint(`${title}, ${name}`), ...plot];
}

/** The scale without what is beyond the last value. */
function until(last: number, { ticks }: Scale, [from, to]: Span): Scale {
  return {
    at: (value) => from + (value / last) * (to - from),
    ticks: ticks.filter(({ value }) => value <= last),
  };
}

/** Of all runs together: a line for each. */
function latencyChart(
  { title }: PhaseOfSides,
  measured: readonly Measured[],
  columns: number,
  screen: Screen,
): readonly string[] {
  const curves = measured.flatMap(({ measurement: { latencyNs } }) => {
    const curve = latencyNs ? percentileCurve(latencyNs, POINTS) : [];
    return curve.length > 0 ? [curve] : [];
  });
  const all = curves.flat();
  if (all.length === 0) return [];
  const [, nines] = endsOf(all.map(({ share }) => ninesOf(share)));
  const lengths = all.map(({ ns }) => Math.max(1, ns));
  const plot = dotPlot({
    ...{ columns, rows: ROWS, unicode: screen.unicode, moments: [] },
    lines: curves.map((curve) => curve.map(({ share, ns }) => [ninesOf(share), Math.max(1, ns)] as const)),
    x: (span) => ({
      at: (value) => span[0] + (value / nines) * (span[1] - span[0]),
      ticks: Array.from({ length: Math.floor(nines) + 1 }, (_, value) => ({
        value,
        text: percentText(value),
      })),
    }),
    y: (span) => logarithmic(endsOf(lengths), span, (ns) => readable(showNs(ns), screen)),
  });
  return [screen.paint.faint(`${title}, latency`), ...plot];
}

function ninesOf(share: number): number {
  return -Math.log10(1 - share);
}

/** 90 % for one nine, 99 % for two. */
function percentText(nines: number): string {
  return nines === 0 ? 'best' : `${Number((100 * (1 - 10 ** -nines)).toPrecision(12))} %`;
}

/** What the marks mean. */
function remarks(measured: readonly Measured[], { figure }: PhaseOfSides): readonly string[] {
  const show = (perSecond: number) => amounts[rateUnitOf({ figure })].show(perSecond);
  return measured.flatMap(({ measurement: { cliff }, run }) =>
    cliff
      ? [
          `run ${run} fell from ${show(cliff.beforePerSecond)} to ${show(cliff.afterPerSecond)} after ${showSeconds(cliff.atSeconds)}`,
        ]
      : [],
  );
}
