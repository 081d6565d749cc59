import type { Measurement, TimeSeries } from '../../report/schema/report.js';
import { rateBetween, START } from '../writing/sparkline.js';
import { type Course, level } from './lines.js';

/** The rate between two looks at the counters. */
export interface Slot {
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly perSecond: number;
}

/** Shorter slots, such as the last, hold too few operations for a rate of their own. */
const SHORTEST_SECONDS = 0.05;
/** Shorter pauses belong to how devices work. */
const STANDSTILL_SECONDS = 0.5;

export function slotsOf(series: TimeSeries, primaryRate: Measurement['primaryRate']): readonly Slot[] {
  const moments = series.seconds.map((seconds, at) => ({ seconds, amount: series[primaryRate][at] ?? 0 }));
  const end = moments.at(-1)?.seconds ?? 0;
  let before = START;
  return moments.flatMap((moment, at) => {
    const isLast = at === moments.length - 1;
    // What would be left for the last slot joins this one.
    const isShort =
      moment.seconds - before.seconds < SHORTEST_SECONDS || end - moment.seconds < SHORTEST_SECONDS;
    if (isShort && !isLast) return [];
    const perSecond = rateBetween(before, moment) ?? 0;
    const slot = { fromSeconds: before.seconds, toSeconds: moment.seconds, perSecond };
    before = moment;
    return [slot];
  });
}

export function courseOf(slots: readonly Slot[]): Course {
  return slots.flatMap(({ fromSeconds, toSeconds, perSecond }) => level(fromSeconds, toSeconds, perSecond));
}

/** When nothing was done for half a second or more. */
export function standstillsOf(slots: readonly Slot[]): readonly Slot[] {
  const found: Slot[] = [];
  for (const slot of slots.filter(({ perSecond }) => perSecond === 0)) {
    const last = found.at(-1);
    if (last?.toSeconds === slot.fromSeconds)
      found[found.length - 1] = { ...last, toSeconds: slot.toSeconds };
    else found.push(slot);
  }
  return found.filter(({ fromSeconds, toSeconds }) => toSeconds - fromSeconds >= STANDSTILL_SECONDS);
}
