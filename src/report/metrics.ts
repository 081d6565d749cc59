import type { MetricUnit } from './amount.js';
import { slowestHostPerSecond } from './host-summary.js';
import { includesCache, primaryRateOf, primaryRateUnit } from './rate.js';
import type { StepRows, StepValues } from './results.js';
import type { Latency, Measurement } from './schema/report.js';
import { averageRuns, computeStatistics, edgeShare, minMax } from './statistics/statistics.js';

/** The quantities that metrics measure; each is a metric family in Prometheus. */
export const quantities = {
  rate: "the disk's own rate",
  timed: 'rate as timed, possibly with cached data',
  throughput: 'bytes moved or operations done per second',
  slowest: "the disk's own rate on the slowest host of a job",
  latency: 'latency of an operation',
  latency_mean: 'mean latency of an operation',
  reads_latency: 'latency of a read in a mix',
  writes_latency: 'latency of a write in a mix, with its sync',
  write_latency: 'latency of the write alone, before a sync',
  sync_latency: 'latency of the sync alone, after a write',
  device: 'share served by the device rather than the page cache',
  ceiling: 'rate on cached data, with the same loop and threads',
  cpu: 'CPU time divided by elapsed time; 2 means two CPUs',
  duration: 'duration of the phase',
  moved: 'bytes moved',
  operations: 'operations done',
} as const;

/** One number that a phase measures, such as `read.p99`. */
export interface Metric {
  /** Empty for the disk's own rate, the main result of a phase. */
  readonly name: string;
  readonly quantity: keyof typeof quantities;
  /** The quantile, from 0 to 1. Null if the metric is not part of a distribution. */
  readonly quantile: number | null;
  readonly unit: (phase: Pick<StepValues, 'primaryRate'>) => MetricUnit;
  /** The better direction. Null if neither direction is better. */
  readonly better: 'higher' | 'lower' | null;
  /** In comparisons: gets a verdict or is only shown. Null if omitted because other metrics show the same. */
  readonly role: 'gating' | 'informational' | null;
  /** True if shown even where space allows only a few metrics. */
  readonly isBrief: boolean;
  /** True if the metric describes the disk only when the device served the phase. */
  readonly needsDevice: boolean;
  /** Null if unknown. */
  readonly getValue: (result: StepValues) => number | null;
}

/** Defines a metric in the unit of the phase's main rate. `facts` replace the values that most metrics have. */
function defineMetric(
  name: string,
  quantity: Metric['quantity'],
  getValue: Metric['getValue'],
  facts: Partial<Metric> = {},
): Metric {
  const defaults = { quantile: null, better: null, role: null, isBrief: false, needsDevice: false };
  return { name, quantity, getValue, unit: primaryRateUnit, ...defaults, ...facts };
}

const LATENCY = { unit: () => 'nanoseconds', better: 'lower', needsDevice: true } satisfies Partial<Metric>;

function latencyMetric(name: keyof StepValues['latencyNs'], facts: Partial<Metric>): Metric {
  const getValue = ({ latencyNs }: StepValues) => latencyNs[name] ?? null;
  return defineMetric(name, 'latency', getValue, { ...LATENCY, role: 'informational', ...facts });
}

/** The latencies of some operations of a mix, or of a part of the operations that write and then sync. */
function partMetrics(
  part: 'reads' | 'writes' | 'write' | 'sync',
  getLatency: (measurement: Measurement) => Latency | null | undefined,
): readonly Metric[] {
  const partMetric = (name: 'p50' | 'p99' | 'max', facts: Partial<Metric>) => {
    const getValue: Metric['getValue'] = ({ measurement }) =>
      (measurement && getLatency(measurement)?.[name]) ?? null;
    return defineMetric(`${part}.${name}`, `${part}_latency`, getValue, { ...LATENCY, ...facts });
  };
  return [
    partMetric('p50', { quantile: 0.5 }),
    partMetric('p99', { quantile: 0.99, role: 'informational' }),
    partMetric('max', { quantile: 1 }),
  ];
}

/** Null for a rate that includes the page cache by definition. */
function reportedShare({ phase, device }: Measurement): number | null {
  return includesCache(phase) ? null : device.share;
}

/** The two throughputs, in fixed units; one of them is the rate as timed. */
const THROUGHPUT = { better: 'higher', needsDevice: true } as const;

export const rateMetric = defineMetric('', 'rate', primaryRateOf, {
  better: 'higher',
  role: 'gating',
  isBrief: true,
  needsDevice: true,
});

export const metrics: readonly Metric[] = [
  rateMetric,
  defineMetric('timed', 'timed', ({ measurement }) => measurement && primaryRateOf(measurement), {
    better: 'higher',
  }),
  defineMetric('throughput', 'throughput', ({ bytesPerSecond }) => bytesPerSecond, {
    ...THROUGHPUT,
    unit: () => 'bytesPerSecond',
  }),
  defineMetric('ops', 'throughput', ({ operationsPerSecond }) => operationsPerSecond, {
    ...THROUGHPUT,
    unit: () => 'operationsPerSecond',
  }),
  defineMetric('slowest', 'slowest', (row) => row.measurement && slowestHostPerSecond(row.measurement, row), {
    better: 'higher',
  }),
  latencyMetric('min', { quantile: 0 }),
  latencyMetric('mean', { quantity: 'latency_mean' }),
  latencyMetric('p50', { quantile: 0.5, isBrief: true }),
  latencyMetric('p90', { quantile: 0.9 }),
  latencyMetric('p95', { quantile: 0.95 }),
  latencyMetric('p99', { quantile: 0.99, isBrief: true }),
  latencyMetric('p999', { quantile: 0.999 }),
  latencyMetric('p9999', { quantile: 0.9999 }),
  latencyMetric('max', { quantile: 1, isBrief: true }),
  ...partMetrics('reads', ({ reads }) => reads?.latencyNs),
  ...partMetrics('writes', ({ writes }) => writes?.latencyNs),
  ...partMetrics('write', ({ syncedWrites }) => syncedWrites?.writeLatencyNs),
  ...partMetrics('sync', ({ syncedWrites }) => syncedWrites?.syncLatencyNs),
  defineMetric('share', 'device', ({ measurement }) => measurement && reportedShare(measurement), {
    unit: () => 'share',
    role: 'informational',
    isBrief: true,
  }),
  defineMetric('ceiling', 'ceiling', ({ ceilingPerSecond }) => ceilingPerSecond, { isBrief: true }),
  defineMetric('cpu', 'cpu', ({ cpuPercent }) => cpuPercent, {
    unit: () => 'percent',
    role: 'informational',
    isBrief: true,
  }),
  defineMetric('seconds', 'duration', ({ seconds }) => seconds, { unit: () => 'seconds' }),
  defineMetric('bytes', 'moved', ({ bytes }) => bytes, { unit: () => 'bytes' }),
  defineMetric('operations', 'operations', ({ operations }) => operations, { unit: () => 'count' }),
];

export function getMetric(metricName: string): Metric {
  const found = metrics.find(({ name }) => name === metricName);
  if (!found) throw new Error(`there is no metric ${metricName}`);
  return found;
}

/** Returns a name such as `read.p99`; the main rate is just `read`. */
export function metricName(phase: string, { name }: Pick<Metric, 'name'>): string {
  return name === '' ? phase : `${phase}.${name}`;
}

export interface MetricValues {
  readonly values: readonly number[];
  /** True if no run was partly cached, or if cached runs are allowed. */
  readonly isFromDevice: boolean;
}

/** Returns the known values. One unknown device share makes them all unknown. */
export function metricValues(
  rows: readonly StepValues[],
  { getValue, needsDevice, quantity }: Metric,
  allowCached = false,
): MetricValues {
  const isFromDevice =
    allowCached || rows.every((row) => row.isServedByDevice || !needsDevice || getValue(row) === null);
  const values: readonly number[] = rows.map(getValue).filter((value) => value !== null);
  const isKnown = quantity !== 'device' || values.length === rows.length;
  return { values: isKnown ? values : [], isFromDevice };
}

/** The value and the spread of a metric of a step over its runs. Every output takes its numbers from here. */
export type MetricSummary = NonNullable<ReturnType<typeof summarizeMetric>>;

const RATES: readonly Metric['quantity'][] = ['rate', 'timed', 'throughput'];

/**
 * Null if the metric is unknown. `isFromDevice`: true if the values describe the disk. Exports for programs with thresholds
 * omit other values.
 */
export function summarizeMetric(rows: readonly StepValues[], metric: Metric, allowCached = false) {
  const { values, isFromDevice } = metricValues(rows, metric, allowCached);
  const [first] = rows;
  if (!first || values.length === 0) return null;
  const unit = metric.unit(first);
  const isRate = RATES.includes(metric.quantity);
  const statistics = computeStatistics(values, unit, isRate ? edgeShare(rows) : 0);
  // A damaged report may hold values with an infinite sum.
  if (!Number.isFinite(statistics.mean)) return null;
  const value = combineRuns(metric, values, unit);
  const { runs, min, max } = statistics;
  // The interval is that of the mean.
  const confidence95 = isLongest(metric) ? null : statistics.confidence95;
  const spread = { runs, min, max, confidence95 };
  return { step: first.step, title: first.title, metric, unit, value, spread, isFromDevice };
}

type Quantile = Partial<Pick<Metric, 'quantile'>>;

/** Returns the mean of the runs. For the longest operation, returns the longest of all runs. */
export function combineRuns(metric: Quantile, values: readonly number[], unit: MetricUnit): number {
  return isLongest(metric) ? minMax(values).max : averageRuns(values, unit);
}

export function isLongest({ quantile }: Quantile): boolean {
  return quantile === 1;
}

/** Returns every known metric of a step. A partly cached rate is only the rate as timed, which is a metric of its own. */
export function summarizeMetrics(rows: StepRows): readonly MetricSummary[] {
  return metrics
    .map((metric) => summarizeMetric(rows, metric))
    .filter((summary) => summary !== null)
    .filter(({ metric, isFromDevice }) => isFromDevice || metric !== rateMetric);
}

/** Returns the value of the metric with this name over all runs, in its unit. Null if unknown. */
export function metricOfRuns(rows: readonly StepValues[], name: string): number | null {
  return summarizeMetric(rows, getMetric(name))?.value ?? null;
}
