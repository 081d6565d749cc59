import { expect, test } from 'vitest';
import { serializeMessage, stepResultSchema } from '../../src/hosts/messages.js';
import { measurementSchema } from '../../src/report/schema/measurement-schema.js';
import type { Measurement } from '../../src/report/schema/report.js';
import { measurementWith } from '../support/data/fixtures.js';
import { PHASES, rankMeasurement } from '../support/data/ranks.js';
import { seededRandom } from '../support/data/seeded-random.js';

function transmit(measurement: Measurement): Measurement {
  const text = serializeMessage({ state: 'done', barrierTimes: [], warnings: [], measurement });
  const result = stepResultSchema.parse(JSON.parse(text));
  if (result.state !== 'done' || !result.measurement) throw new Error('no measurement has arrived');
  return result.measurement;
}

test.each(PHASES)('a measurement of $phase arrives unchanged, with every sixth of 600 samples', (kind) => {
  const measurement = rankMeasurement(kind, seededRandom(1));
  const { series: whole, ...expected } = measurementSchema.parse(measurement);
  const { series, ...others } = transmit(measurement);
  expect(others).toEqual(expected);
  expect(series).toEqual({
    seconds: whole.seconds.filter((_, at) => at % 6 === 5),
    operations: whole.operations.filter((_, at) => at % 6 === 5),
    bytes: whole.bytes.filter((_, at) => at % 6 === 5),
  });
});

test('the last sample arrives, whatever the number of samples', () => {
  for (const count of [0, 1, 99, 100, 101, 250]) {
    const values = Array.from({ length: count }, (_, at) => at + 1);
    const { series } = transmit(
      measurementWith({ series: { seconds: values, operations: values, bytes: values } }),
    );
    expect(series.seconds.length).toBeLessThanOrEqual(101);
    expect([series.seconds.at(-1), series.bytes.at(-1)]).toEqual([values.at(-1), values.at(-1)]);
  }
});
