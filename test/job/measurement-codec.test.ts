import { expect, test } from 'vitest';
import { encodedMeasurementSchema, encodeMeasurement } from '../../src/job/measurement-codec.js';
import { measurementSchema } from '../../src/report/schema/measurement-schema.js';
import { measurementWith } from '../support/data/fixtures.js';
import { PHASES, rankMeasurement } from '../support/data/ranks.js';
import { seededRandom } from '../support/data/seeded-random.js';

test.each(PHASES)('a measurement of $phase arrives as it was, but for moments between others', (kind) => {
  const measurement = rankMeasurement(kind, seededRandom(1));
  const arrived = encodedMeasurementSchema.parse(JSON.parse(JSON.stringify(encodeMeasurement(measurement))));
  const { series: whole, ...figures } = measurementSchema.parse(measurement);
  const { series, ...others } = arrived;
  expect(others).toEqual(figures);
  // Every sixth of 600.
  expect(series.seconds).toEqual(whole.seconds.filter((_, at) => at % 6 === 5));
  expect(series.operations).toEqual(whole.operations.filter((_, at) => at % 6 === 5));
  expect(series.bytes).toEqual(whole.bytes.filter((_, at) => at % 6 === 5));
});

test('the last moment arrives, whatever the number of moments', () => {
  for (const count of [0, 1, 99, 100, 101, 250]) {
    const values = Array.from({ length: count }, (_, at) => at + 1);
    const series = { seconds: values, operations: values, bytes: values };
    const arrived = encodedMeasurementSchema.parse(encodeMeasurement(measurementWith({ series }))).series;
    expect(arrived.seconds.length).toBeLessThanOrEqual(101);
    expect([arrived.seconds.at(-1), arrived.bytes.at(-1)]).toEqual([values.at(-1), values.at(-1)]);
  }
});

test('a phase without latencies arrives', () => {
  expect(
    encodedMeasurementSchema.parse(encodeMeasurement(measurementWith({ latencyNs: null }))).latencyNs,
  ).toBeNull();
});
