import {
  PROGRESS_START,
  type ProgressPoint,
  rateBetween,
  resampleRates,
} from '../../format/human/sparkline.js';

/** Progress of a phase so far, in a bounded number of points. */
export interface ProgressHistory {
  /** Points evenly spread over the phase. */
  readonly overall: readonly ProgressPoint[];
  /** `overall` keeps one in this many points. */
  readonly keepEvery: number;
  readonly count: number;
  /** All points of the last seconds. */
  readonly recent: readonly ProgressPoint[];
}

const MAX_POINTS = 128;
const RECENT_SECONDS = 5;

export const EMPTY_HISTORY: ProgressHistory = {
  overall: [PROGRESS_START],
  keepEvery: 1,
  count: 0,
  recent: [PROGRESS_START],
};

export function addProgress(
  { overall, keepEvery, count, recent }: ProgressHistory,
  point: ProgressPoint,
): ProgressHistory {
  const kept = (count + 1) % keepEvery === 0 ? [...overall, point] : overall;
  const isFull = kept.length >= MAX_POINTS;
  // Keep one point before the last seconds, as their start.
  const first = recent.findIndex(({ seconds }) => seconds > point.seconds - RECENT_SECONDS);
  return {
    overall: isFull ? kept.filter((_, at) => at % 2 === 0) : kept,
    keepEvery: isFull ? keepEvery * 2 : keepEvery,
    count: count + 1,
    recent: [...recent.slice(Math.max(0, first - 1)), point],
  };
}

export function latestPoint({ recent }: ProgressHistory): ProgressPoint {
  return recent.at(-1) ?? PROGRESS_START;
}

/** Returns the rate of the last `seconds`. Null before the first point. */
export function recentRate({ recent }: ProgressHistory, seconds: number): number | null {
  const last = recent.at(-1) ?? PROGRESS_START;
  const before =
    recent.findLast((point) => point.seconds <= last.seconds - seconds) ?? recent[0] ?? PROGRESS_START;
  return rateBetween(before, last);
}

/** Returns the rate in each of `parts` equal parts of the time so far. */
export function ratesSoFar(history: ProgressHistory, parts: number): readonly number[] {
  const latest = latestPoint(history);
  return resampleRates([...history.overall, latest], parts);
}
