import {
  PROGRESS_START,
  progressPoints,
  rateBetween,
  resampleRates,
} from '../../../report/measure/progress.js';
import type { Measurement } from '../../../report/schema/report.js';
import { minMax } from '../../../report/statistics/statistics.js';
import { GIB } from '../../../text/units.js';
import type { Points } from './scale.js';

/** Shorter parts, often the last part, hold too few operations for a meaningful rate. */
const MIN_PART_SECONDS = 0.05;

/** Returns the rate over time, constant between two samples of the counters. */
export function rateCurve(measurement: Pick<Measurement, 'series' | 'primaryRate'>, divisor = 1): Points {
  const points = progressPoints(measurement);
  const end = points.at(-1)?.seconds ?? 0;
  let before = PROGRESS_START;
  return points.flatMap((point, at) => {
    const isLast = at === points.length - 1;
    // A remainder that is too short joins the part before it.
    const isShort =
      point.seconds - before.seconds < MIN_PART_SECONDS || end - point.seconds < MIN_PART_SECONDS;
    if (isShort && !isLast) return [];
    const perSecond = rateBetween(before, point);
    const from = before.seconds;
    before = point;
    // How the rate changed between two samples is unknown.
    return [
      [from, perSecond / divisor],
      [point.seconds, perSecond / divisor],
    ];
  });
}

/** Returns the latency of the longest or of the slowest hundredth of the operations over time. */
export function latencyCurve({ series }: Measurement, percentile: 'p99' | 'max'): Points {
  return series.seconds.flatMap((at, index) => {
    const ns = series.latencyNs?.[percentile][index] ?? null;
    return ns === null ? [] : [[at, ns]];
  });
}

/** True if pauses set the rate of a measurement, so only its latency says something. */
export function hasPauses({ slowest }: Measurement): boolean {
  return slowest !== undefined;
}

/** Returns the rate over time or, with pauses, the latency. */
export function resultCurve(measurement: Measurement, divisor?: number): Points {
  return hasPauses(measurement) ? latencyCurve(measurement, 'max') : rateCurve(measurement, divisor);
}

/** Returns the rate over the amount, in GiB, constant in each of some equal parts. */
export function amountCurve(measurement: Measurement, divisor: number): Points {
  const points = [PROGRESS_START, ...progressPoints(measurement)];
  // The time as a function of the amount.
  const times = points.map(({ seconds, amount }) => ({ seconds: amount, amount: seconds }));
  const parts = Math.max(1, Math.min(MAX_AMOUNT_PARTS, Math.floor(points.length / SAMPLES_PER_PART)));
  const partGib = (points.at(-1)?.amount ?? 0) / parts / GIB;
  return resampleRates(times, parts).flatMap((secondsPerByte, part): Points => {
    if (secondsPerByte === 0) return [];
    const rate = 1 / secondsPerByte / divisor;
    return [
      [part * partGib, rate],
      [(part + 1) * partGib, rate],
    ];
  });
}

/** Returns the amount that was written until the rate fell. */
export function cliffBytes({ atSeconds, beforePerSecond }: NonNullable<Measurement['cliff']>): number {
  return atSeconds * beforePerSecond;
}

const BAND_PARTS = 120;
const MAX_AMOUNT_PARTS = 100;
/** Fewer hold too few blocks for a meaningful rate. */
const SAMPLES_PER_PART = 4;

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

/**
 * Returns the range and the median of lines in each of `count` equal parts of the width that has a point of a line. Ends
 * where half of the lines end: after that, the slowest runs alone would look like a fall.
 */
export function computeBand(lines: readonly Points[], count = BAND_PARTS) {
  const { min: start } = minMax(lines.flatMap((points) => points.map(([x]) => x)));
  const ends = lines.flatMap((points) => points.at(-1)?.[0] ?? []).toSorted((one, other) => one - other);
  const end = ends[Math.floor((ends.length - 1) / 2)] ?? start;
  const parts = Array.from({ length: count }, (): number[] => []);
  const partAt = (x: number) => Math.min(count - 1, Math.floor(((x - start) / (end - start || 1)) * count));
  for (const points of lines) {
    for (const [at, [x, y]] of points.entries()) {
      if (x > end) break;
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
