import type { MetricUnit } from './amount.js';
import { primaryRateOf, primaryRateUnit } from './rate.js';
import type { StepValues } from './results.js';

/** One number that a phase measures, such as `read.p99`. */
export interface Metric {
  /** Empty for the disk's own rate, the main result of a phase. */
  readonly name: string;
  readonly title: string;
  /** What one or more metrics measure, such as latency; a metric family in Prometheus. */
  readonly quantity: { readonly name: string; readonly title: string };
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

const LATENCY = { name: 'latency', title: 'latency of an operation' };

/** Defines a metric in the unit of the phase's main rate. `facts` are what differs from most metrics. */
function defineMetric(
  name: string,
  title: string,
  quantity: Metric['quantity'],
  getValue: Metric['getValue'],
  facts: Partial<Metric> = {},
): Metric {
  const defaults = { quantile: null, better: null, role: null, isBrief: false, needsDevice: false };
  return { name, title, quantity, getValue, unit: primaryRateUnit, ...defaults, ...facts };
}

function latencyMetric(
  name: keyof StepValues['latencyNs'],
  title: string,
  facts: Partial<Metric> & Pick<Metric, 'quantile'>,
): Metric {
  return defineMetric(name, title, LATENCY, ({ latencyNs }) => latencyNs[name] ?? null, {
    unit: () => 'nanoseconds',
    better: 'lower',
    role: 'informational',
    needsDevice: true,
    ...facts,
  });
}

export const rateMetric = defineMetric(
  '',
  'rate',
  { name: 'rate', title: "the disk's own rate" },
  ({ devicePerSecond }) => devicePerSecond,
  { better: 'higher', role: 'gating', isBrief: true },
);

export const metrics: readonly Metric[] = [
  rateMetric,
  defineMetric(
    'timed',
    'rate as timed',
    { name: 'timed', title: 'rate as timed, possibly with cached data' },
    ({ timedPerSecond }) => timedPerSecond,
    { better: 'higher' },
  ),
  defineMetric(
    'throughput',
    'bytes per second',
    { name: 'throughput', title: 'bytes moved per second' },
    ({ bytesPerSecond }) => bytesPerSecond,
    { unit: () => 'bytesPerSecond', better: 'higher', needsDevice: true },
  ),
  defineMetric(
    'ops',
    'operations per second',
    { name: 'throughput', title: 'operations done per second' },
    ({ operationsPerSecond }) => operationsPerSecond,
    { unit: () => 'operationsPerSecond', better: 'higher', needsDevice: true },
  ),
  defineMetric(
    'slowest',
    'rate of the slowest host of a job',
    { name: 'slowest', title: "the disk's own rate on the slowest host of a job" },
    ({ slowestPerSecond }) => slowestPerSecond ?? null,
    { better: 'higher' },
  ),
  latencyMetric('min', 'shortest operation', { quantile: 0 }),
  latencyMetric('mean', 'mean latency', {
    quantity: { name: 'latency_mean', title: 'mean latency of an operation' },
    quantile: null,
  }),
  latencyMetric('p50', 'median latency', { quantile: 0.5, isBrief: true }),
  latencyMetric('p90', '90th percentile latency', { quantile: 0.9 }),
  latencyMetric('p95', '95th percentile latency', { quantile: 0.95 }),
  latencyMetric('p99', '99th percentile latency', { quantile: 0.99, isBrief: true }),
  latencyMetric('p999', '99.9th percentile latency', { quantile: 0.999 }),
  latencyMetric('p9999', '99.99th percentile latency', { quantile: 0.9999 }),
  latencyMetric('max', 'longest operation', { quantile: 1, isBrief: true }),
  defineMetric(
    'share',
    'share served by the device',
    { name: 'device', title: 'share served by the device rather than the page cache' },
    ({ deviceShare }) => deviceShare,
    { unit: () => 'share', role: 'informational', isBrief: true },
  ),
  defineMetric(
    'ceiling',
    'rate on cached data',
    { name: 'ceiling', title: 'rate on cached data, with the same loop and threads' },
    ({ ceilingPerSecond }) => ceilingPerSecond ?? null,
    { isBrief: true },
  ),
  defineMetric(
    'cpu',
    'CPU time in percent of the elapsed time',
    { name: 'cpu', title: 'CPU time divided by elapsed time; 2 means two CPUs' },
    ({ cpuPercent }) => cpuPercent,
    { unit: () => 'percent', role: 'informational', isBrief: true },
  ),
  defineMetric(
    'seconds',
    'duration',
    { name: 'duration', title: 'duration of the phase' },
    ({ seconds }) => seconds,
    { unit: () => 'seconds' },
  ),
  defineMetric('bytes', 'bytes moved', { name: 'moved', title: 'bytes moved' }, ({ bytes }) => bytes, {
    unit: () => 'bytes',
  }),
  defineMetric(
    'operations',
    'operations done',
    { name: 'operations', title: 'operations done' },
    ({ operations }) => operations,
    { unit: () => 'count' },
  ),
];

/** Returns a name such as `read.p99`; the main rate is just `read`. */
export function metricName(phase: string, { name }: Pick<Metric, 'name'>): string {
  return name === '' ? phase : `${phase}.${name}`;
}

export interface MetricValues {
  readonly values: readonly number[];
  readonly isFromDevice: boolean;
}

/** If any run was partly cached, or if `allowCached`, all values are as timed. */
export function metricValues(rows: readonly StepValues[], metric: Metric, allowCached = false): MetricValues {
  const getTimed = metric === rateMetric ? primaryRateOf : metric.getValue;
  const isFromDevice = rows.every(
    (row) =>
      getTimed(row) === null ||
      (metric.getValue(row) !== null && (row.isServedByDevice || !metric.needsDevice)),
  );
  const getValue = isFromDevice && !allowCached ? metric.getValue : getTimed;
  const values = rows.map(getValue).filter((value) => value !== null);
  return { values, isFromDevice: isFromDevice || allowCached };
}
