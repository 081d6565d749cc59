import type { Report } from '../../src/report/schema/report.js';
import type { SweepPoint } from '../../src/sweep/point.js';
import { runWith } from '../support/data/fixtures.js';
import { stepsReport } from '../support/data/step-reports.js';

/** The size of an operation of `stepsReport`. */
const IO_BYTES = 4096;

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
  const steps = [1, 2, 4, 8, 16, 32].map((depth, at) => ({
    step: { name: stepName(depth), threads: depth, seconds: 1 },
    rates: [IO_BYTES * (rates[at] ?? 0)],
    facts: { seconds: 1 },
  }));
  const report = stepsReport(steps, changes);
  const measurements = report.runs.flatMap((run) => run.measurements.slice(0, rates.length));
  return { ...report, runs: [runWith({ measurements })] };
}
