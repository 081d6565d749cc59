import type { SweepPoint } from '../../src/sweep/point.js';

/** Creates a point that the device served, measured once. */
export function createPoint(threads: number, rate: number, changes: Partial<SweepPoint> = {}): SweepPoint {
  return {
    threads,
    ioSizeBytes: null,
    operationsPerSecond: rate,
    bytesPerSecond: null,
    p99Ns: null,
    meanNs: null,
    confidence95: null,
    isServedByDevice: true,
    limitedBy: null,
    samples: [{ atSeconds: threads, operationsPerSecond: rate }],
    ...changes,
  };
}

/** Creates points with these rates at 1, 2, 4 … threads. */
export function createCurve(
  rates: readonly number[],
  changes: Partial<SweepPoint> = {},
): readonly SweepPoint[] {
  return rates.map((rate, at) => createPoint(2 ** at, rate, changes));
}
