import { mergeLatencies } from '../../src/report/measure/latency-summary.js';
import { computeCpu } from '../../src/report/measure/measurement.js';
import { mergeRanks, type RankMeasurement } from '../../src/report/measure/merge-ranks.js';
import type { Latency, Measurement, Report, Run } from '../../src/report/schema/report.js';
import { computeRunStatistics } from '../../src/report/statistics/step-statistics.js';
import { GIB } from '../../src/text/units.js';
import { reportWith, runWith } from '../support/data/fixtures.js';
import { hostileReport } from '../support/data/hostile.js';
import { seededRandom } from '../support/data/seeded-random.js';
import { presetSteps, stepsReport } from '../support/data/step-reports.js';

/** A complete report of one run. */
export const COMPLETED = reportWith({ runs: [runWith()], outcome: { state: 'completed' } });

/** Reports with random special characters in their names, the same on each call. */
export function hostileReports(count: number): readonly Report[] {
  const random = seededRandom(6);
  return Array.from({ length: count }, () => hostileReport(random));
}

/** Factors of the rates and of the latencies of the runs: every kind of mean has other digits. */
const RATES = [1, 1.13, 0.87, 1.31, 0.94];
const LATENCIES = [1, 1.7, 0.6, 4.1, 0.9];
/** The device's shares of the runs: its own rates, and a mix of its rates and the page cache's. */
const SERVED = [1, 0.97, 0.91, 0.99, 0.93];
const CACHED = [0.95, 0.31, 0.92, 0.12, 0.99];

/** 10,000 operations, of which few are slow. */
const LATENCY: Latency = {
  ...{ samples: 10_000, min: 46_500, mean: 63_000, max: 11_100_000 },
  ...{ p50: 0, p90: 0, p95: 0, p99: 0, p999: 0, p9999: 0 },
  buckets: [
    { from: 46_080, below: 47_104, count: 300 },
    { from: 59_392, below: 60_416, count: 8000 },
    { from: 120_832, below: 122_880, count: 1550 },
    { from: 491_520, below: 507_904, count: 145 },
    { from: 10_747_904, below: 11_141_120, count: 5 },
  ],
};

function scaleLatency({ buckets, ...latency }: Latency, factor: number): Latency | null {
  const { samples, min, mean, max } = latency;
  const scaled = buckets.map(({ from, count }) => ({ from: from * factor, below: 0, count }));
  const values = { samples, min: min * factor, mean: mean * factor, max: max * factor };
  return mergeLatencies([{ ...latency, ...values, buckets: scaled }]);
}

function scalePart(part: NonNullable<Measurement['reads']>, rate: number): typeof part {
  const { bytesPerSecond, operationsPerSecond } = part;
  const rates = {
    bytesPerSecond: bytesPerSecond * rate,
    operationsPerSecond: operationsPerSecond * rate,
  };
  return { ...part, ...rates, latencyNs: scaleLatency(LATENCY, rate) };
}

function scaleCpu({ userSeconds, systemSeconds }: Measurement['cpu'], factor: number) {
  return { userSeconds: userSeconds * factor, systemSeconds: systemSeconds * factor };
}

function varyMeasurement(one: Measurement, run: number): Measurement {
  const rate = RATES[run] ?? 1;
  const shares = one.step === 'read' ? CACHED : SERVED;
  return {
    ...one,
    seconds: one.seconds / rate,
    bytesPerSecond: one.bytesPerSecond * rate,
    operationsPerSecond: one.operationsPerSecond * rate,
    device: { ...one.device, share: shares[run] ?? null },
    cpu: computeCpu(scaleCpu(one.cpu, LATENCIES[run] ?? 1), one.seconds / rate, one.operations),
    latencyNs: scaleLatency(LATENCY, LATENCIES[run] ?? 1),
    ...(one.reads && { reads: scalePart(one.reads, rate) }),
    ...(one.writes && { writes: scalePart(one.writes, rate / 2) }),
  };
}

/** Repeats the only run of a report with other rates, latencies and shares. */
function repeat(report: Report, count: number, change = (one: Measurement) => one): Report {
  const [first = runWith()] = report.runs;
  const runs = Array.from({ length: count }, (_, run) => {
    const measurements = first.measurements.map((one) => change(varyMeasurement(one, run)));
    return { ...first, measurements };
  });
  const options = { ...report.options, runs: count };
  return {
    ...report,
    options,
    runs,
    statistics: computeRunStatistics(runs),
    outcome: { state: 'completed' },
  };
}

/** Distributes the work of a measurement over ranks on these hosts, each slower than the one before it. */
function splitOverRanks(hosts: readonly string[]) {
  return (one: Measurement): Measurement => {
    const ranks = hosts.map((host, rank): RankMeasurement => {
      const slowdown = 1 + rank / 7;
      return {
        rank,
        host,
        startOffsetSeconds: rank / 100,
        startOffsetErrorSeconds: 0.001,
        measurement: {
          ...one,
          seconds: one.seconds * slowdown,
          cpu: computeCpu(one.cpu, one.seconds * slowdown, one.operations),
          latencyNs: one.latencyNs && scaleLatency(one.latencyNs, slowdown),
        },
      };
    });
    const [first, ...others] = ranks;
    if (!first) throw new Error('a job has ranks');
    return mergeRanks([first, ...others]);
  };
}

function jobReport(hosts: readonly string[]): Report {
  const names = [...new Set(hosts)];
  const job = {
    ranks: hosts.length,
    hosts: names.map((name) => ({
      name,
      ranks: hosts.filter((host) => host === name).length,
      cores: 4,
      memoryBytes: 1e9,
    })),
  };
  return { ...repeat(COMPLETED, 4, splitOverRanks(hosts)), job };
}

function interrupt(report: Report, completeRuns: number): Report {
  const runs = report.runs.slice(0, completeRuns + 1).map((run, at): Run => {
    if (at < completeRuns) return run;
    return { ...run, state: 'incomplete', measurements: run.measurements.slice(0, 2) };
  });
  const statistics = computeRunStatistics(runs);
  return { ...report, runs, statistics, outcome: { state: 'aborted', reason: 'SIGINT' } };
}

/** Returns the same report of a slower disk. */
export function slowDown(report: Report): Report {
  const runs = report.runs.map((run) => ({
    ...run,
    measurements: run.measurements.map((one) => ({
      ...one,
      bytesPerSecond: one.bytesPerSecond * 0.7,
      operationsPerSecond: one.operationsPerSecond * 0.7,
    })),
  }));
  return { ...report, runs };
}

const presetReport = (name: 'crystaldiskmark' | 'yabs', count: number) =>
  repeat(stepsReport(presetSteps(name, GIB)), count);

const sweep = stepsReport(
  [1, 2, 4, 8].map((depth) => ({
    step: { name: `rnd4k-q${depth}t1.read`, depth },
    rates: [1e8 * Math.min(4, depth)],
  })),
);

const memoryCeiling = [
  { step: 'read', perSecond: 2.3e9 },
  { step: 'iops', perSecond: 21_000 },
];

/** Reports of every kind of run whose results vary from run to run. */
export const variedReports: Readonly<Record<string, Report>> = {
  'five runs': { ...repeat(COMPLETED, 5), memoryCeiling },
  'two runs': { ...repeat(COMPLETED, 2), memoryCeiling },
  'a job of three ranks on one host': jobReport(['a', 'a', 'a']),
  'a job of two hosts with two ranks each': jobReport(['a', 'a', 'b', 'b']),
  'the steps of quick': presetReport('crystaldiskmark', 3),
  'mixed steps': presetReport('yabs', 4),
  'a sweep': repeat(sweep, 3),
  'a run that was interrupted in the fourth of five runs': interrupt(repeat(COMPLETED, 5), 3),
  'a run that was interrupted in its first run': interrupt(repeat(COMPLETED, 5), 0),
  'steps that were interrupted in the third run': interrupt(presetReport('crystaldiskmark', 5), 2),
  'a sweep that was interrupted in its second run': interrupt(repeat(sweep, 3), 1),
};
