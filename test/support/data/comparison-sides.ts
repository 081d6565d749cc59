import type { ComparisonSide, MetricSample } from '../../../src/compare/side.js';

/** Creates a gating rate that came from the device, except for the facts that matter to the test. */
export function metricWith(
  name: string,
  values: readonly number[],
  facts: Partial<MetricSample> = {},
): MetricSample {
  return {
    name,
    unit: 'bytesPerSecond',
    better: 'higher',
    role: 'gating',
    values,
    isFromDevice: true,
    ...facts,
  };
}

/** Creates one side of a comparison from one document, except for the facts that matter to the test. */
export function sideWith(
  name: string,
  samples: readonly MetricSample[],
  facts: Partial<ComparisonSide> = {},
): ComparisonSide {
  return { name, properties: [[]], samples, timedOnlyReason: null, ...facts };
}
