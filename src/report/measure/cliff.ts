import type { Measurement } from '../schema/measurement-schema.js';
import { PROGRESS_START, type ProgressPoint, rateBetween } from './progress.js';

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

/** Finds a rate that was high, then fell and remained low, as when a cache fills up or burst credits run out. */
export function findCliff(progress: readonly ProgressPoint[]): Measurement['cliff'] {
  // Without progress at the end, the work is done: files are only being synced and closed.
  const doneAt = progress.findIndex(({ amount }) => amount === progress.at(-1)?.amount);
  const points = [PROGRESS_START, ...progress.slice(0, doneAt + 1)];
  const end = points.at(-1) ?? PROGRESS_START;
  const split = bestSplit(points, end);
  if (!split) return null;
  const at = points.indexOf(split);
  const before = rateBetween(PROGRESS_START, split);
  const after = rateBetween(split, end);
  if (after > before * CLIFF_SHARE || isDecline(points, split, end)) return null;
  if (!isPlateau(points.slice(0, at + 1), before, after)) return null;
  if (!isPlateau(points.slice(at), after, before)) return null;
  return { atSeconds: split.seconds, beforePerSecond: before, afterPerSecond: after };
}

/** Returns the split where two levels fit the rates best. */
function bestSplit(points: readonly ProgressPoint[], end: ProgressPoint) {
  const margin = Math.max(SIDE_MIN_SECONDS, end.seconds * SIDE_MIN_SHARE);
  const splits = points
    .slice(SIDE_MIN_SAMPLES, -SIDE_MIN_SAMPLES)
    .filter(({ seconds }) => seconds >= margin && end.seconds - seconds >= margin);
  // The sum of squared errors is least when this is greatest.
  const fit = ({ seconds, amount }: ProgressPoint) =>
    amount ** 2 / seconds + (end.amount - amount) ** 2 / (end.seconds - seconds);
  return splits.toSorted((one, other) => fit(other) - fit(one))[0];
}

/** True if a steady decline over the whole time fits the rates better than two levels. */
function isDecline(points: readonly ProgressPoint[], split: ProgressPoint, end: ProgressPoint): boolean {
  const fall = rateBetween(PROGRESS_START, split) - rateBetween(split, end);
  const leverage = points.reduce((total, point, at) => {
    const { seconds, amount } = points[at - 1] ?? PROGRESS_START;
    return total + (point.amount - amount) * ((point.seconds + seconds) / 2 - end.seconds / 2);
  }, 0);
  const line = leverage ** 2 / (end.seconds ** 3 / 12);
  return line > (fall ** 2 * split.seconds * (end.seconds - split.seconds)) / end.seconds;
}

function isPlateau(side: readonly ProgressPoint[], level: number, otherLevel: number): boolean {
  const [from = PROGRESS_START] = side;
  const to = side.at(-1) ?? PROGRESS_START;
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
