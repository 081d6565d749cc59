import type { Measurement } from '../schema/measurement-schema.js';

/** A rate that was high, then fell and remained low: a cache filled up or burst credits ran out. */
export type Cliff = NonNullable<Measurement['cliff']>;

/** The total work up to a time. */
type Point = Readonly<typeof ORIGIN>;

const ORIGIN = { seconds: 0, amount: 0 };
/** A cliff falls to at most this share of the rate before it. */
export const CLIFF_SHARE = 0.5;
const SIDE_MIN_SECONDS = 1;
const SIDE_MIN_SAMPLES = 8;
/** Threads that finish early cause a slow tail, which is not a cliff of the device. */
const SIDE_MIN_SHARE = 0.1;
/** Wide enough to even out buffered writes, which come in bursts. */
const WINDOW_SECONDS = 0.5;
/** The share of a side's windows that must be at its level; the remaining windows allow for pauses. */
const PLATEAU_SHARE = 0.75;
/** How far the halves of a side may differ, as a share of the fall. In a steady decline they differ by half of it. */
const SLOPE_MAX_SHARE = 1 / 3;

/** Finds the cliff in the progress over time. The lists exclude the start, 0 at second 0. */
export function findCliff(seconds: readonly number[], amounts: readonly number[]): Cliff | null {
  // Without progress at the end, the work is done: files are only being synced and closed.
  const activeSeconds = seconds.slice(0, amounts.indexOf(amounts.at(-1) ?? 0) + 1);
  const points = [
    ORIGIN,
    ...activeSeconds.map((second, at) => ({ seconds: second, amount: amounts[at] ?? 0 })),
  ];
  const end = points.at(-1) ?? ORIGIN;
  const split = bestSplit(points, end);
  if (split === null) return null;
  const at = points.indexOf(split);
  const before = rateBetween(ORIGIN, split);
  const after = rateBetween(split, end);
  if (after > before * CLIFF_SHARE || isDecline(points, split, end)) return null;
  if (!isPlateau(points.slice(0, at + 1), before, after)) return null;
  if (!isPlateau(points.slice(at), after, before)) return null;
  return { atSeconds: split.seconds, beforePerSecond: before, afterPerSecond: after };
}

/** Returns the split where two levels fit the rates best. */
function bestSplit(points: readonly Point[], end: Point): Point | null {
  const margin = Math.max(SIDE_MIN_SECONDS, end.seconds * SIDE_MIN_SHARE);
  let best: Point | null = null;
  let bestFit = 0;
  for (const split of points.slice(SIDE_MIN_SAMPLES, -SIDE_MIN_SAMPLES)) {
    if (split.seconds < margin || end.seconds - split.seconds < margin) continue;
    // The sum of squared errors is least when this is greatest.
    const fit =
      split.amount ** 2 / split.seconds + (end.amount - split.amount) ** 2 / (end.seconds - split.seconds);
    if (fit <= bestFit) continue;
    best = split;
    bestFit = fit;
  }
  return best;
}

/** True if a steady decline over the whole time fits the rates better than two levels. */
function isDecline(points: readonly Point[], split: Point, end: Point): boolean {
  const fall = rateBetween(ORIGIN, split) - rateBetween(split, end);
  const leverage = points.reduce((total, point, at) => {
    const { seconds, amount } = points[at - 1] ?? ORIGIN;
    return total + (point.amount - amount) * ((point.seconds + seconds) / 2 - end.seconds / 2);
  }, 0);
  const line = leverage ** 2 / (end.seconds ** 3 / 12);
  return line > (fall ** 2 * split.seconds * (end.seconds - split.seconds)) / end.seconds;
}

function isPlateau(side: readonly Point[], level: number, otherLevel: number): boolean {
  const [from = ORIGIN] = side;
  const to = side.at(-1) ?? ORIGIN;
  const middle = side.find(({ seconds }) => seconds >= (from.seconds + to.seconds) / 2) ?? to;
  const slope = Math.abs(rateBetween(from, middle) - rateBetween(middle, to));
  const rates: number[] = [];
  let start = from;
  for (const point of side) {
    if (point.seconds - start.seconds < WINDOW_SECONDS) continue;
    rates.push(rateBetween(start, point));
    start = point;
  }
  const near = rates.filter((rate) => Math.abs(rate - level) < Math.abs(rate - otherLevel));
  return (
    slope <= Math.abs(level - otherLevel) * SLOPE_MAX_SHARE && near.length >= rates.length * PLATEAU_SHARE
  );
}

function rateBetween(from: Point, to: Point): number {
  return (to.amount - from.amount) / (to.seconds - from.seconds);
}
