import { expect, test } from 'vitest';
import { encodedMeasurementSchema, encodeMeasurement } from '../../src/job/measurement-codec.js';
import { measurementSchema } from '../../src/report/schema/measurement-schema.js';
import { measurementWith } from '../support/data/fixtures.js';
import { PHASES, rankMeasurement } from '../support/data/ranks.js';
import { seededRandom } from '../support/data/seeded-random.js';

test.each(PHASES)('a measurement of $phase arrives unchanged, with every sixth of 600 samples', (kind) => {
  const measurement = rankMeasurement(kind, seededRandom(1));
  const decoded = encodedMeasurementSchema.parse(JSON.parse(JSON.stringify(encodeMeasurement(measurement))));
  const { series: whole, ...expected } = measurementSchema.parse(measurement);
  const { series, ...others } = decoded;
  expect(others).toEqual(expected);
  expect(series.seconds).toEqual(whole.seconds.filter((_, at) => at % 6 === 5));
  expect(series.operations).toEqual(whole.operations.filter((_, at) => at % 6 === 5));
  expect(series.bytes).toEqual(whole.bytes.filter((_, at) => at % 6 === 5));
});

test('the last sample arrives, whatever the number of samples', () => {
  for (const count of [0, 1, 99, 100, 101, 250]) {
    const values = Array.from({ length: count }, (_, at) => at + 1);
    const series = { seconds: values, operations: values, bytes: values };
    const decoded = encodedMeasurementSchema.parse(encodeMeasurement(measurementWith({ series }))).series;
    expect(decoded.seconds.length).toBeLessThanOrEqual(101);
    expect([decoded.seconds.at(-1), decoded.bytes.at(-1)]).toEqual([values.at(-1), values.at(-1)]);
  }
});

test('a phase without latencies arrives', () => {
  expect(
    encodedMeasurementSchema.parse(encodeMeasurement(measurementWith({ latencyNs: null }))).latencyNs,
  ).toBeNull();
});
