import { PROGRESS_START, type ProgressPoint, rateBetween } from '../../format/human/dot-plot.js';

/** Progress of a phase so far. */
export type ProgressHistory = readonly ProgressPoint[];

const MAX_POINTS = 600;
/** A history that is full keeps a point in each of as many parts of the time. */
const KEPT_PARTS = 128;
/** A history that is full keeps all points of the last seconds, which give the current rate. */
const RECENT_SECONDS = 6;

export const EMPTY_HISTORY: ProgressHistory = [PROGRESS_START];

export function addProgress(history: ProgressHistory, point: ProgressPoint): ProgressHistory {
  const kept = history.length < MAX_POINTS ? history : thin(history, point.seconds);
  return [...kept, point];
}

function thin(history: ProgressHistory, seconds: number): ProgressHistory {
  const part = (at: number) => Math.floor(((history[at]?.seconds ?? -1) / seconds) * KEPT_PARTS);
  return history.filter((point, at) => point.seconds > seconds - RECENT_SECONDS || part(at) !== part(at - 1));
}

export function latestPoint(history: ProgressHistory): ProgressPoint {
  return history.at(-1) ?? PROGRESS_START;
}

/** Returns the rate of the last `seconds`. Null before the first point. */
export function recentRate(history: ProgressHistory, seconds: number): number | null {
  const last = latestPoint(history);
  const before = history.findLast((point) => point.seconds <= last.seconds - seconds) ?? PROGRESS_START;
  return rateBetween(before, last);
}
