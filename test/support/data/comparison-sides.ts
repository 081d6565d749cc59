import type { ComparisonSide, MetricSample } from '../../../src/compare/side.js';

/** A judged rate of the disk, except for the facts that matter to the test. */
export function metricWith(
  name: string,
  values: readonly number[],
  facts: Partial<MetricSample> = {},
): MetricSample {
  return {
    ...{ name, unit: 'bytesPerSecond', better: 'higher', role: 'gating' },
    ...{ values, timed: values, isFromDevice: true, isOnlyTimed: false },
    ...facts,
  };
}

/** One side of a comparison, of one document, except for the facts that matter to the test. */
export function sideWith(
  name: string,
  samples: readonly MetricSample[],
  facts: Partial<ComparisonSide> = {},
): ComparisonSide {
  return { name, properties: [[]], samples, timedOnlyReason: null, ...facts };
}
