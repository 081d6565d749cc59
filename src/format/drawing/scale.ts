import { minMax } from '../../report/measure/min-max.js';

/** A value with a label on an axis. */
export interface Tick {
  readonly value: number;
  readonly text: string;
}

/** Maps values to positions on an axis. */
export interface Scale {
  readonly at: (value: number) => number;
  readonly ticks: readonly Tick[];
}

/** The first and the last value of an axis, or their positions. */
export type Span = readonly [from: number, to: number];

/** Returns the span from the lowest value to the highest value. */
export function spanValues(values: readonly number[]): Span {
  const { min, max } = minMax(values);
  return [min, max];
}

const STEPS = [1, 2, 5, 10];
/** Over fewer decades, the axis also has ticks between the powers of ten. */
const WIDE_RANGE_DECADES = 2;

/** Maps equal differences to equal distances. The ends are rounded outwards to ticks. */
export function linearScale(
  [lowest, highest]: Span,
  [from, to]: Span,
  show: (value: number) => string,
  maxTicks = 5,
): Scale {
  const step = roundUpStep((highest - lowest || Math.abs(highest) || 1) / maxTicks);
  const first = Math.floor(lowest / step);
  const last = Math.max(first + 1, Math.ceil(highest / step));
  const ticks = Array.from({ length: last - first + 1 }, (_, at) => withoutFloatNoise((first + at) * step));
  return {
    at: (value) => from + ((value / step - first) / (last - first)) * (to - from),
    ticks: ticks.map((value) => ({ value, text: show(value) })),
  };
}

/** Maps equal ratios to equal distances. Every value must be above 0. */
export function logarithmicScale(
  [lowest, highest]: Span,
  [from, to]: Span,
  show: (value: number) => string,
): Scale {
  const decades = Math.log10(highest / lowest);
  const between = decades < WIDE_RANGE_DECADES ? [1, 2, 5] : [1];
  const first = Math.floor(Math.log10(lowest));
  const last = Math.ceil(Math.log10(highest));
  const all = Array.from({ length: last - first + 1 }, (_, at) => 10 ** (first + at)).flatMap((power) =>
    between.map((factor) => factor * power),
  );
  const low = all.findLast((value) => value <= lowest) ?? lowest;
  const high = all.find((value) => value >= highest && value > low) ?? highest;
  const start = Math.log10(low);
  const length = Math.log10(high) - start;
  return {
    at: (value) => from + ((Math.log10(value) - start) / length) * (to - from),
    ticks: all
      .filter((value) => value >= low && value <= high)
      .map((value) => ({ value, text: show(value) })),
  };
}

/** Maps shares from 0 to below 1, with equal distances between 0 %, 90 %, 99 % and 99.9 %. */
export function ninesScale(highest: number, [from, to]: Span): Scale {
  const last = countNines(highest);
  const nines = Array.from({ length: Math.floor(withoutFloatNoise(last)) + 1 }, (_, count) =>
    withoutFloatNoise(1 - 10 ** -count),
  );
  const shares = last >= 1 ? [0, 0.5, ...nines.slice(1)] : nines;
  return {
    at: (share) => from + (countNines(share) / last) * (to - from),
    ticks: shares.map((value) => ({ value, text: formatPercentile(value) })),
  };
}

/** Returns 1 for 90 %, 2 for 99 %. */
function countNines(share: number): number {
  return -Math.log10(1 - share);
}

/** `99.9 %` */
export function formatPercentile(share: number): string {
  return `${withoutFloatNoise(share * 100)} %`;
}

/** Removes floating-point noise: 0.6, not 0.6000000000000001. */
function withoutFloatNoise(value: number): number {
  return Number(value.toPrecision(12));
}

/** Rounds up to 1, 2 or 5 times a power of ten. */
function roundUpStep(size: number): number {
  const power = 10 ** Math.floor(Math.log10(size));
  const factor = STEPS.find((step) => step * power >= size * (1 - Number.EPSILON)) ?? 10;
  return factor * power;
}
