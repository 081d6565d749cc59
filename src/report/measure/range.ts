import { MB } from '../../text/units.js';
import type { Measurement } from '../schema/measurement-schema.js';

/** Of one phase in several runs. */
export type MeasurementList = readonly [first: Measurement, ...others: Measurement[]];

export function formatMeasurementRange(
  measurements: MeasurementList,
  getValue: (one: Measurement) => number,
  format: (value: number) => string,
): string {
  return formatRange(measurements.map(getValue), format);
}

/** `12.3 %`, or `12.3 % to 45.6 %`. */
export function formatRange(values: readonly number[], format: (value: number) => string): string {
  const ends = endsOf(values).map(format);
  return [...new Set(ends)].join(' to ');
}

/** The lowest and the highest, however many: as arguments of Math.max, a hundred thousand end with an error. */
export function endsOf(values: readonly number[]): readonly [lowest: number, highest: number] {
  return values.reduce<readonly [number, number]>(
    ([lowest, highest], value) => [Math.min(lowest, value), Math.max(highest, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
}

export function formatInteger(value: number): string {
  return value.toFixed(0);
}

export function formatMegabytes(bytes: number): string {
  return (bytes / MB).toFixed(0);
}
