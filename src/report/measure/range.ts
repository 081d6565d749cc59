import { MB } from '../../text/units.js';
import type { Measurement } from '../schema/measurement-schema.js';
import { minMax } from './min-max.js';

/** The measurements of one phase in several runs. */
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
  const { min, max } = minMax(values);
  return [...new Set([format(min), format(max)])].join(' to ');
}

export function formatMegabytes(bytes: number): string {
  return (bytes / MB).toFixed(0);
}
