import { minMax } from '../../report/measure/min-max.js';
import type { Points } from './chart.js';

/** Values over time, or over another axis. */
export type Curve = readonly (readonly [at: number, value: number])[];

/** Returns a horizontal line: how the value changed within the interval is unknown. */
export function constantSegment(from: number, to: number, value: number): Curve {
  return [
    [from, value],
    [to, value],
  ];
}

/** More lines than this are drawn as a band and a median. */
export const MAX_LINES = 20;
const BAND_PARTS = 120;

/** Keeps at most two points in each of `columns` parts of the width: the lowest and the highest, in order. */
export function downsample(points: Points, columns: number): Points {
  if (points.length <= 2 * columns) return points;
  const xs = points.map(([x]) => x);
  const { min: first, max: last } = minMax(xs);
  const parts = new Map<number, [number, number][]>();
  for (const [x, y] of points) {
    const part = Math.floor(((x - first) / (last - first || 1)) * columns);
    const partPoints = parts.get(part) ?? [];
    parts.set(part, pickExtremes([...partPoints, [x, y]]));
  }
  return [...parts.values()].flat();
}

function pickExtremes(points: readonly [number, number][]): [number, number][] {
  if (points.length <= 2) return [...points];
  const [first] = points;
  if (!first) return [];
  const pick = (isBetter: (one: number, other: number) => boolean) =>
    points.reduce((best, one) => (isBetter(one[1], best[1]) ? one : best), first);
  const found = [pick((one, other) => one < other), pick((one, other) => one > other)];
  return found.sort(([one], [other]) => one - other);
}

/** The range and the median of many curves in a part of the time. */
export interface BandPart {
  readonly seconds: number;
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

/** Divides the time into parts of equal length. Omits parts in which no curve has a value. */
export function computeBand(curves: readonly Curve[]): readonly BandPart[] {
  const { max: end } = minMax(curves.map((curve) => curve.at(-1)?.[0] ?? 0));
  const parts = Array.from({ length: BAND_PARTS }, (): number[] => []);
  const partAt = (seconds: number) =>
    Math.min(BAND_PARTS - 1, Math.floor((seconds / (end || 1)) * BAND_PARTS));
  for (const curve of curves) {
    for (const [at, [seconds, value]] of curve.entries()) {
      const [until, next] = curve[at + 1] ?? [seconds, value];
      // A constant value counts in every part that it covers.
      const last = next === value ? partAt(until) : partAt(seconds);
      for (let part = partAt(seconds); part <= last; part++) parts[part]?.push(value);
    }
  }
  return parts.flatMap((values, part) => {
    const sortedValues = values.toSorted((one, other) => one - other);
    const low = sortedValues[0];
    const high = sortedValues.at(-1);
    if (low === undefined || high === undefined) return [];
    const median = sortedValues[Math.floor(sortedValues.length / 2)] ?? low;
    return [{ seconds: (end * (part + 0.5)) / BAND_PARTS, low, median, high }];
  });
}
