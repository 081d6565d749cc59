import { formatAmount } from '../../../report/amount.js';
import { primaryRateUnit } from '../../../report/rate.js';
import type { Measurement, TimeSeries } from '../../../report/schema/report.js';
import { minMax } from '../../../report/statistics/statistics.js';
import { formatSeconds } from '../../../text/units.js';
import { PROGRESS_START, rateBetween } from '../../human/dot-plot.js';
import { type ChartedMeasurement, type ChartedResults, findMeasurements } from './charted-result.js';
import type { Points } from './scale.js';

/** The rate between two samples of the counters. */
export interface Slot {
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly perSecond: number;
}

/** An event in a run. `fromSeconds` equals `toSeconds` for a cliff. */
export interface TimelineEvent {
  readonly kind: 'cliff' | 'standstill' | 'sync';
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly description: string;
  readonly runName: string;
}

export type Timeline = ReturnType<typeof findTimelines>[number];

/** Shorter slots, often the last slot, hold too few operations for a meaningful rate. */
const MIN_SLOT_SECONDS = 0.05;
/** Shorter pauses are normal for devices. */
const MIN_STANDSTILL_SECONDS = 0.5;

export function findTimelines(results: ChartedResults, phase: string) {
  return findMeasurements(results, phase).map((one) => {
    const slots = toSlots(one.measurement.series, one.measurement.primaryRate);
    return { ...one, slots, events: findEvents(one, slots) };
  });
}

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

export function rateCurve(slots: readonly Slot[], divisor = 1): Points {
  return slots.flatMap(({ fromSeconds, toSeconds, perSecond }) =>
    constantSegment(fromSeconds, toSeconds, perSecond / divisor),
  );
}

export function findStandstills(
  slots: readonly Slot[],
  minSeconds = MIN_STANDSTILL_SECONDS,
): readonly Slot[] {
  const found: Slot[] = [];
  for (const slot of slots.filter(({ perSecond }) => perSecond === 0)) {
    const last = found.at(-1);
    if (last?.toSeconds === slot.fromSeconds) found.splice(-1, 1, { ...last, toSeconds: slot.toSeconds });
    else found.push(slot);
  }
  return found.filter(({ fromSeconds, toSeconds }) => toSeconds - fromSeconds >= minSeconds);
}

function findEvents({ runName, measurement }: ChartedMeasurement, slots: readonly Slot[]) {
  const { cliff, primaryRate } = measurement;
  const show = (perSecond: number) => formatAmount(perSecond, primaryRateUnit({ primaryRate }));
  const events: TimelineEvent[] = [];
  const add = (kind: TimelineEvent['kind'], fromSeconds: number, toSeconds: number, description: string) =>
    events.push({ kind, fromSeconds, toSeconds, description, runName });
  if (cliff) {
    const { atSeconds, beforePerSecond, afterPerSecond } = cliff;
    const fall = `fell from ${show(beforePerSecond)} to ${show(afterPerSecond)}`;
    add('cliff', atSeconds, atSeconds, `${fall} after ${formatSeconds(atSeconds)}`);
  }
  for (const { fromSeconds, toSeconds } of findStandstills(slots, MIN_SLOT_SECONDS)) {
    const pause = toSeconds - fromSeconds;
    const duration = formatSeconds(pause);
    // Without progress at the end, the work is done and the files are being synced.
    if (toSeconds === slots.at(-1)?.toSeconds && measurement.writtenBytes > 0)
      add('sync', fromSeconds, toSeconds, `synced for ${duration}`);
    else if (pause >= MIN_STANDSTILL_SECONDS)
      add(
        'standstill',
        fromSeconds,
        toSeconds,
        `stood still for ${duration} after ${formatSeconds(fromSeconds)}`,
      );
  }
  return events;
}

const BAND_PARTS = 120;

/** Returns a horizontal line: how the value changed within the interval is unknown. */
export function constantSegment(from: number, to: number, value: number): Points {
  return [
    [from, value],
    [to, value],
  ];
}

/** Keeps the lowest and the highest value of each of `columns` parts of the width, if there are more points. */
export function downsample(points: Points, columns: number): Points {
  if (points.length <= 2 * columns) return points;
  return computeBand([points], columns).flatMap(
    ({ x, low, high }): Points => [
      [x, low],
      [x, high],
    ],
  );
}

/** Returns the range and the median of lines in each of `count` equal parts of the width that has a point of a line. */
export function computeBand(lines: readonly Points[], count = BAND_PARTS) {
  const { min: start, max: end } = minMax(lines.flatMap((points) => points.map(([x]) => x)));
  const parts = Array.from({ length: count }, (): number[] => []);
  const partAt = (x: number) => Math.min(count - 1, Math.floor(((x - start) / (end - start || 1)) * count));
  for (const points of lines) {
    for (const [at, [x, y]] of points.entries()) {
      const [nextX, nextY] = points[at + 1] ?? [x, y];
      // A constant value counts in every part that it covers.
      const last = nextY === y ? partAt(nextX) : partAt(x);
      for (let part = partAt(x); part <= last; part++) parts[part]?.push(y);
    }
  }
  return parts.flatMap((values, part) => {
    const sortedValues = values.toSorted((one, other) => one - other);
    const low = sortedValues[0];
    const high = sortedValues.at(-1);
    const median = sortedValues[Math.floor(sortedValues.length / 2)];
    if (low === undefined || high === undefined || median === undefined) return [];
    return [{ x: start + ((end - start) * (part + 0.5)) / count, low, median, high }];
  });
}
