import { minMax } from '../../report/measure/min-max.js';
import type { Points } from './chart.js';

/** Values over time, or over another axis. */
export type Curve = readonly (readonly [at: number, value: number])[];

/** A value that lasted, as nobody knows more. */
export function constantSegment(from: number, to: number, value: number): Curve {
  return [
    [from, value],
    [to, value],
  ];
}

/** More than these are shown as what they have in common. */
export const MAX_LINES = 20;
const BAND_PARTS = 120;

/** With at most two points in each of `columns` parts of the width: its lowest and its highest, in their order. */
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

/** What many courses have in common in a part of the time. */
export interface BandPart {
  readonly seconds: number;
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

/** In parts of equal length; those in which no course has a value are left out. */
export function computeBand(curves: readonly Curve[]): readonly BandPart[] {
  const { max: end } = minMax(curves.map((curve) => curve.at(-1)?.[0] ?? 0));
  const parts = Array.from({ length: BAND_PARTS }, (): number[] => []);
  const partAt = (seconds: number) =>
    Math.min(BAND_PARTS - 1, Math.floor((seconds / (end || 1)) * BAND_PARTS));
  for (const curve of curves) {
    for (const [at, [seconds, value]] of curve.entries()) {
      const [until, next] = curve[at + 1] ?? [seconds, value];
      // A level counts in all parts that it lasts.
      const last = next === value ? partAt(until) : partAt(seconds);
      for (let part = partAt(seconds); part <= last; part++) parts[part]?.push(value);
    }
  }
  return parts.flatMap((values, part) => {
    const sortedValues = values.toSorted((one, other) => one - other);
    const [low, high] = [sortedValues[0], sortedValues.at(-1)];
    if (low === undefined || high === undefined) return [];
    const median = sortedValues[Math.floor(sortedValues.length / 2)] ?? low;
    return [{ seconds: (end * (part + 0.5)) / BAND_PARTS, low, median, high }];
  });
}
