import { MB } from '../../text/units.js';
import type { Measurement } from '../schema/measured.js';

/** Of one phase in several runs. */
export type Measured = readonly [first: Measurement, ...others: Measurement[]];

export function rangeOf(
  measured: Measured,
  of: (one: Measurement) => number,
  show: (value: number) => string,
): string {
  return range(measured.map(of), show);
}

/** `12.3 %`, or `12.3 % to 45.6 %`. */
export function range(values: readonly number[], show: (value: number) => string): string {
  const ends = endsOf(values).map(show);
  return [...new Set(ends)].join(' to ');
}

/** The lowest and the highest, however many: as arguments of Math.max, a hundred thousand end with an error. */
export function endsOf(values: readonly number[]): readonly [lowest: number, highest: number] {
  return values.reduce<readonly [number, number]>(
    ([lowest, highest], value) => [Math.min(lowest, value), Math.max(highest, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
}

export function whole(value: number): string {
  return value.toFixed(0);
}

export function megabytes(bytes: number): string {
  return (bytes / MB).toFixed(0);
}
