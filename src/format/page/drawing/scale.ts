import { minMax } from '../../../report/statistics/statistics.js';
import { formatNs } from '../../../text/units.js';

/** Maps values to positions on an axis. Ticks are values with a label. */
export interface Scale {
  readonly at: (value: number) => number;
  readonly ticks: readonly { readonly value: number; readonly text: string }[];
}

export type Points = readonly (readonly [x: number, y: number])[];

/** The positions of an axis's ends. */
export type Span = readonly [from: number, to: number];

/** Returns the scale of an axis on which all values have a position. */
export type Axis = (values: readonly number[], span: Span, maxTicks?: number) => Scale;

const STEPS = [1, 2, 5, 10];
/** Over fewer decades, the axis also has ticks between the powers of ten. */
const WIDE_RANGE_DECADES = 2;
/** The ticks of a percentile axis. A run has too few operations for more nines. */
const PERCENTILES = [0, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999, 0.999999, 0.9999999, 0.99999999];
const TOLERANCE = 1e-9;

type Show = (value: number) => string;

/** Maps equal differences to equal distances. The ends are rounded outwards to ticks. */
export function linearScale(values: readonly number[], [from, to]: Span, show: Show, maxTicks = 5): Scale {
  const { min, max } = minMax(values);
  const size = (max - min || Math.abs(max) || 1) / maxTicks;
  const power = 10 ** Math.floor(Math.log10(size));
  const step = power * (STEPS.find((factor) => factor * power >= size * (1 - Number.EPSILON)) ?? 10);
  const first = Math.floor(min / step);
  const last = Math.max(first + 1, Math.ceil(max / step));
  const ticks = Array.from({ length: last - first + 1 }, (_, at) => withoutFloatNoise((first + at) * step));
  return {
    at: (value) => from + ((value / step - first) / (last - first)) * (to - from),
    ticks: ticks.map((value) => ({ value, text: show(value) })),
  };
}

/** Returns a rate axis from 0. The heads of charts name its unit. */
export const rateAxis: Axis = (rates, span) => linearScale([0, ...rates], span, String, 3);

/** Axes of the time and of the amount of data, from 0 to the highest value. */
export const secondsAxis = axisFromZero('s');
export const gibAxis = axisFromZero('GiB');

function axisFromZero(unit: string): Axis {
  return (values, [from, to], maxTicks = 4) => {
    const { max } = minMax([0, ...values]);
    const { ticks } = linearScale([0, max], [from, to], (value) => `${value} ${unit}`, maxTicks);
    return {
      at: (value) => from + (value / (max || 1)) * (to - from),
      ticks: ticks.filter(({ value }) => value <= max),
    };
  };
}

/** Maps equal ratios to equal distances. Latencies below 1 ns are at 1 ns. */
export const latencyAxis: Axis = (latencies, [from, to]) => {
  const { min, max } = minMax(latencies.map((ns) => Math.max(1, ns)));
  const decades = Math.log10(max / min);
  const factors = decades < WIDE_RANGE_DECADES ? [1, 2, 5] : [1];
  const first = Math.floor(Math.log10(min));
  const last = Math.ceil(Math.log10(max));
  const powers = Array.from({ length: last - first + 1 }, (_, at) => 10 ** (first + at));
  const ticks = powers.flatMap((power) => factors.map((factor) => factor * power));
  const low = ticks.findLast((tick) => tick <= min) ?? min;
  const high = ticks.find((tick) => tick >= max && tick > low) ?? max;
  const start = Math.log10(low);
  const length = Math.log10(high) - start;
  const shown = ticks.filter((tick) => tick >= low && tick <= high);
  return {
    at: (ns) => from + ((Math.log10(Math.max(1, ns)) - start) / length) * (to - from),
    ticks: shown.map((value) => ({ value, text: formatNs(value) })),
  };
};

/** Maps equal ratios of the depth to equal distances, with a tick for each depth. */
export function depthScale(depths: readonly number[], [from, to]: Span): Scale {
  const { min, max } = minMax(depths.map(Math.log2));
  return {
    at: (value) => from + ((Math.log2(value) - min) / (max - min || 1)) * (to - from),
    ticks: depths.map((value) => ({ value, text: String(value) })),
  };
}

/** Maps shares from 0 to below 1, with equal distances between 0 %, 90 %, 99 % and 99.9 %. */
export function ninesScale(shares: readonly number[], [from, to]: Span): Scale {
  const last = countNines(minMax(shares).max);
  const ticks = PERCENTILES.filter((share) => countNines(share) <= last + TOLERANCE);
  return {
    at: (share) => from + (countNines(share) / last) * (to - from),
    ticks: ticks.map((value) => ({ value, text: `${withoutFloatNoise(value * 100)} %` })),
  };
}

/** Returns 1 for 90 %, 2 for 99 %. */
function countNines(share: number): number {
  return -Math.log10(1 - share);
}

/** Removes floating-point noise: 0.6, not 0.6000000000000001. */
function withoutFloatNoise(value: number): number {
  return Number(value.toPrecision(12));
}
