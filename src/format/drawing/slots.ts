import type { Measurement, TimeSeries } from '../../report/schema/report.js';
import { PROGRESS_START, rateBetween } from '../writing/sparkline.js';
import { type Curve, constantSegment } from './curve.js';

/** The rate between two samples of the counters. */
export interface Slot {
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly perSecond: number;
}

/** Shorter slots, often the last slot, hold too few operations for a meaningful rate. */
const MIN_SLOT_SECONDS = 0.05;
/** Shorter pauses are normal for devices. */
const MIN_STANDSTILL_SECONDS = 0.5;

export function toSlots(series: TimeSeries, primaryRate: Measurement['primaryRate']): readonly Slot[] {
  const points = series.seconds.map((seconds, at) => ({ seconds, amount: series[primaryRate][at] ?? 0 }));
  const end = points.at(-1)?.seconds ?? 0;
  let before = PROGRESS_START;
  return points.flatMap((point, at) => {
    const isLast = at === points.length - 1;
    // A remainder that is too short for a slot joins the slot before it.
    const isShort =
      point.seconds - before.seconds < MIN_SLOT_SECONDS || end - point.seconds < MIN_SLOT_SECONDS;
    if (isShort && !isLast) return [];
    const perSecond = rateBetween(before, point) ?? 0;
    const slot = { fromSeconds: before.seconds, toSeconds: point.seconds, perSecond };
    before = point;
    return [slot];
  });
}

export function rateCurve(slots: readonly Slot[]): Curve {
  return slots.flatMap(({ fromSeconds, toSeconds, perSecond }) =>
    constantSegment(fromSeconds, toSeconds, perSecond),
  );
}

/** Finds pauses of half a second or more. */
export function findStandstills(slots: readonly Slot[]): readonly Slot[] {
  const found: Slot[] = [];
  for (const slot of slots.filter(({ perSecond }) => perSecond === 0)) {
    const last = found.at(-1);
    if (last?.toSeconds === slot.fromSeconds)
      found[found.length - 1] = { ...last, toSeconds: slot.toSeconds };
    else found.push(slot);
  }
  return found.filter(({ fromSeconds, toSeconds }) => toSeconds - fromSeconds >= MIN_STANDSTILL_SECONDS);
}
