import type { Report } from '../../src/report/schema/report.js';
import { computeRunStatistics } from '../../src/report/statistics/step-statistics.js';
import { reportWith, runWith } from '../support/data/fixtures.js';
import { hostileReport } from '../support/data/hostile.js';
import { seededRandom } from '../support/data/seeded-random.js';

/** A complete report of one run. */
export const COMPLETED = reportWith({ runs: [runWith()] });

/** Reports with random special characters in their names, the same on each call. */
export function hostileReports(count: number): readonly Report[] {
  const random = seededRandom(6);
  return Array.from({ length: count }, () => hostileReport(random));
}

/** Factors of the rates and of the latencies of the runs: every kind of mean has other digits. */
const RATES = [1, 1.13, 0.87, 1.31, 0.94];
const LATENCIES = [1, 1.7, 0.6, 4.1, 0.9];

/** Repeats the only run of a report with other rates and latencies. */
export function varyRuns(report: Report, count: number): Report {
  const [first = runWith()] = report.runs;
  const runs = RATES.slice(0, count).map((rate, run) => {
    const factor = LATENCIES[run] ?? 1;
    const measurements = first.measurements.map((one) => {
      const { latencyNs } = one;
      const { p50 = 0, p99 = 0, mean = 0, max = 0 } = latencyNs ?? {};
      return {
        ...one,
        seconds: one.seconds / rate,
        bytesPerSecond: one.bytesPerSecond * rate,
        operationsPerSecond: one.operationsPerSecond * rate,
        cpu: { ...one.cpu, percent: one.cpu.percent * factor },
        latencyNs: latencyNs && {
          ...latencyNs,
          ...{ p50: p50 * factor, p99: 3 * p99 * factor, mean: mean * factor, max: 9 * max * factor },
        },
      };
    });
    return { ...first, measurements };
  });
  const statistics = computeRunStatistics(runs);
  const options = { ...report.options, runs: count };
  return { ...report, options, runs, statistics, outcome: { state: 'completed' } };
}
