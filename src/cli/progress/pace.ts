import { type Moment, rateBetween, ratesIn, START } from '../../format/writing/sparkline.js';

/** How a phase has gone so far, in a bounded number of moments. */
export interface Pace {
  /** Evenly spread over the phase. */
  readonly whole: readonly Moment[];
  /** Every how many moments one is kept in `whole`. */
  readonly every: number;
  readonly seen: number;
  /** All moments of the last seconds. */
  readonly recent: readonly Moment[];
}

const MOST_MOMENTS = 128;
const RECENT_SECONDS = 5;

export const AT_START: Pace = { whole: [START], every: 1, seen: 0, recent: [START] };

export function paceAfter({ whole, every, seen, recent }: Pace, moment: Moment): Pace {
  const kept = (seen + 1) % every === 0 ? [...whole, moment] : whole;
  const isFull = kept.length >= MOST_MOMENTS;
  // The last moment before those seconds is where they begin.
  const first = recent.findIndex(({ seconds }) => seconds > moment.seconds - RECENT_SECONDS);
  return {
    whole: isFull ? kept.filter((_, at) => at % 2 === 0) : kept,
    every: isFull ? every * 2 : every,
    seen: seen + 1,
    recent: [...recent.slice(Math.max(0, first - 1)), moment],
  };
}

export function latestOf({ recent }: Pace): Moment {
  return recent.at(-1) ?? START;
}

/** The rate of the last `seconds`. Null before the first moment. */
export function rateOver({ recent }: Pace, seconds: number): number | null {
  const last = recent.at(-1) ?? START;
  const before = recent.findLast((moment) => moment.seconds <= last.seconds - seconds) ?? recent[0] ?? START;
  return rateBetween(before, last);
}

/** The rate in each of `parts` equal parts of the time so far. */
export function ratesOf(pace: Pace, parts: number): readonly number[] {
  const latest = latestOf(pace);
  return ratesIn([...pace.whole, latest], parts);
}
