import type { MetricUnit } from './amount.js';
import { primaryRateOf, primaryRateUnit } from './rate.js';
import type { StepValues } from './results.js';

/** A quantity that one or more metrics measure, such as latency; a metric family in Prometheus. */
export interface Quantity {
  readonly name: string;
  readonly title: string;
}

/** One number that a phase measures, such as `read.p99`. */
export interface Metric {
  /** Empty for the disk's own rate, the main result of a phase. */
  readonly name: string;
  readonly title: string;
  readonly quantity: Quantity;
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

const LATENCY: Quantity = { name: 'latency', title: 'latency of an operation' };

type MetricRow = Pick<Metric, 'name' | 'title' | 'quantity' | 'unit' | 'getValue'> & Partial<Metric>;

function defineMetric(row: MetricRow): Metric {
  return { quantile: null, better: null, role: null, isBrief: false, needsDevice: false, ...row };
}

function latencyMetric(
  name: keyof StepValues['latencyNs'],
  title: string,
  facts: Partial<Metric> & Pick<Metric, 'quantile'>,
): Metric {
  return defineMetric({
    name,
    title,
    quantity: LATENCY,
    unit: () => 'nanoseconds',
    better: 'lower',
    role: 'informational',
    needsDevice: true,
    getValue: ({ latencyNs }) => latencyNs[name] ?? null,
    ...facts,
  });
}

export const rateMetric = defineMetric({
  name: '',
  title: 'rate',
  quantity: { name: 'rate', title: "the disk's own rate" },
  unit: primaryRateUnit,
  better: 'higher',
  role: 'gating',
  isBrief: true,
  getValue: ({ devicePerSecond }) => devicePerSecond,
});

export const metrics: readonly Metric[] = [
  rateMetric,
  defineMetric({
    name: 'timed',
    title: 'rate as timed',
    quantity: { name: 'timed', title: 'rate as timed, possibly with cached data' },
    unit: primaryRateUnit,
    better: 'higher',
    isBrief: true,
    getValue: ({ timedPerSecond }) => timedPerSecond,
  }),
  defineMetric({
    name: 'durable',
    title: 'rate until everything was on the device',
    quantity: { name: 'durable', title: 'rate of a write until everything was on the device' },
    unit: () => 'bytesPerSecond',
    better: 'higher',
    getValue: ({ durableBytesPerSecond }) => durableBytesPerSecond,
  }),
  defineMetric({
    name: 'throughput',
    title: 'bytes per second',
    quantity: { name: 'throughput', title: 'bytes moved per second' },
    unit: () => 'bytesPerSecond',
    better: 'higher',
    needsDevice: true,
    getValue: ({ bytesPerSecond }) => bytesPerSecond,
  }),
  defineMetric({
    name: 'ops',
    title: 'operations per second',
    quantity: { name: 'throughput', title: 'operations done per second' },
    unit: () => 'operationsPerSecond',
    better: 'higher',
    needsDevice: true,
    getValue: ({ operationsPerSecond }) => operationsPerSecond,
  }),
  defineMetric({
    name: 'slowest',
    title: 'rate of the slowest host of a job',
    quantity: { name: 'slowest', title: "the disk's own rate on the slowest host of a job" },
    unit: primaryRateUnit,
    better: 'higher',
    getValue: ({ slowestPerSecond }) => slowestPerSecond ?? null,
  }),
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
  defineMetric({
    name: 'share',
    title: 'share served by the device',
    quantity: { name: 'device', title: 'share served by the device rather than the page cache' },
    unit: () => 'share',
    role: 'informational',
    isBrief: true,
    getValue: ({ deviceShare }) => deviceShare,
  }),
  defineMetric({
    name: 'ceiling',
    title: 'rate on cached data',
    quantity: { name: 'ceiling', title: 'rate on cached data, with the same loop and threads' },
    unit: primaryRateUnit,
    isBrief: true,
    getValue: ({ ceilingPerSecond }) => ceilingPerSecond ?? null,
  }),
  defineMetric({
    name: 'cpu',
    title: 'CPU time in percent of the elapsed time',
    quantity: { name: 'cpu', title: 'CPU time divided by elapsed time; 2 means two CPUs' },
    unit: () => 'percent',
    role: 'informational',
    isBrief: true,
    getValue: ({ cpuPercent }) => cpuPercent,
  }),
  defineMetric({
    name: 'seconds',
    title: 'duration',
    quantity: { name: 'duration', title: 'duration of the phase' },
    unit: () => 'seconds',
    getValue: ({ seconds }) => seconds,
  }),
  defineMetric({
    name: 'bytes',
    title: 'bytes moved',
    quantity: { name: 'moved', title: 'bytes moved' },
    unit: () => 'bytes',
    getValue: ({ bytes }) => bytes,
  }),
  defineMetric({
    name: 'operations',
    title: 'operations done',
    quantity: { name: 'operations', title: 'operations done' },
    unit: () => 'count',
    getValue: ({ operations }) => operations,
  }),
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
