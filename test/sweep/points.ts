import type { Report, ReportedStep } from '../../src/report/schema/report.js';
import type { SweepPoint } from '../../src/sweep/point.js';
import { measurementWith, reportWith, runWith } from '../support/data/fixtures.js';

/** Creates a point that the device served, measured once. */
export function createPoint(depth: number, rate: number, changes: Partial<SweepPoint> = {}): SweepPoint {
  return {
    depth,
    threads: null,
    ioSizeBytes: null,
    operationsPerSecond: rate,
    bytesPerSecond: null,
    p99Ns: null,
    meanNs: null,
    confidence95: null,
    isServedByDevice: true,
    limitedBy: null,
    samples: [{ atSeconds: depth, operationsPerSecond: rate }],
    ...changes,
  };
}

/** Creates points with these rates at depths of 1, 2, 4 … */
export function createCurve(
  rates: readonly number[],
  changes: Partial<SweepPoint> = {},
): readonly SweepPoint[] {
  return rates.map((rate, at) => createPoint(2 ** at, rate, changes));
}

/** Returns the name of the step with this depth. */
export const stepName = (depth: number) => `t${depth}`;

/** Creates a report of random reads at depths of 1, 2, 4 … 32, of which the first have these rates in the first run. */
export function createReport(rates: readonly number[], changes: Partial<Report> = {}): Report {
  const steps = [1, 2, 4, 8, 16, 32].map(
    (depth): ReportedStep => ({
      ...{
        name: stepName(depth),
        phase: 'random',
        threads: depth,
        ioBytes: 4096,
        mixPercent: 100,
        direct: true,
      },
      ...{ engine: 'threads', depth: 1, fsync: false, syncPerWrite: null, seconds: 1, maxBytes: null },
    }),
  );
  const measurements = rates.map((rate, at) =>
    measurementWith({
      ...{ step: stepName(2 ** at), primaryRate: 'operations', operationsPerSecond: rate },
      ...{ readBytes: 1, writtenBytes: 0, seconds: 1 },
    }),
  );
  const empty = reportWith();
  return { ...empty, options: { ...empty.options, steps }, runs: [runWith({ measurements })], ...changes };
}
