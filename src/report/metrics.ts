import { figureOf } from './figures.js';
import type { Measurement, Run } from './report.js';
import type { Unit } from './unit.js';

/** One number of a measurement: its name follows the phase's, as in `read.p99`. */
export interface Metric {
  /** Empty for the rate that the phase is known by. */
  readonly name: string;
  readonly title: string;
  readonly unit: (measurement: Pick<Measurement, 'figure'>) => Unit;
  /** Which of two is the better one. Null where that cannot be said. */
  readonly better: 'more' | 'less' | null;
  /** In a comparison: it decides, it is shown, or it says nothing that the others do not say. */
  readonly role: 'judged' | 'shown' | 'silent';
  /** Null where it is not known. */
  readonly of: (measurement: Measurement) => number | null;
}

type LatencyKey = Exclude<keyof NonNullable<Measurement['latencyNs']>, 'samples' | 'buckets'>;

function latency(name: LatencyKey, title: string): Metric {
  return {
    name,
    title,
    unit: () => 'nanoseconds',
    better: 'less',
    role: 'shown',
    of: ({ latencyNs }) => latencyNs?.[name] ?? null,
  };
}

/** The rate that a phase is known by. */
const rate: Metric = {
  name: '',
  title: 'rate',
  unit: ({ figure }) => (figure === 'bytes' ? 'bytesPerSecond' : 'operationsPerSecond'),
  better: 'more',
  role: 'judged',
  of: figureOf,
};

/** Every one, one row each. */
export const metrics: readonly Metric[] = [
  rate,
  {
    name: 'durable',
    title: 'rate until all of it was on the device',
    unit: () => 'bytesPerSecond',
    better: 'more',
    role: 'shown',
    of: ({ durable }) => durable?.bytesPerSecond ?? null,
  },
  {
    name: 'throughput',
    title: 'bytes a second',
    unit: () => 'bytesPerSecond',
    better: 'more',
    role: 'silent',
    of: ({ bytesPerSecond }) => bytesPerSecond,
  },
  {
    name: 'ops',
    title: 'operations a second',
    unit: () => 'operationsPerSecond',
    better: 'more',
    role: 'silent',
    of: ({ operationsPerSecond }) => operationsPerSecond,
  },
  latency('min', 'shortest operation'),
  latency('mean', 'mean latency'),
  latency('p50', 'median latency'),
  latency('p90', '90th percentile of the latency'),
  latency('p99', '99th percentile of the latency'),
  latency('p999', '99.9th percentile of the latency'),
  latency('p9999', '99.99th percentile of the latency'),
  latency('max', 'longest operation'),
  {
    name: 'share',
    title: 'share that the device served',
    unit: () => 'share',
    better: null,
    role: 'shown',
    of: ({ device }) => device.share,
  },
  {
    name: 'cpu',
    title: 'processor time, of the elapsed',
    unit: () => 'percent',
    better: null,
    role: 'shown',
    of: ({ cpu }) => cpu.percent,
  },
  {
    name: 'seconds',
    title: 'duration',
    unit: () => 'seconds',
    better: null,
    role: 'silent',
    of: ({ seconds }) => seconds,
  },
  {
    name: 'bytes',
    title: 'bytes moved',
    unit: () => 'bytes',
    better: null,
    role: 'silent',
    of: ({ bytes }) => bytes,
  },
  {
    name: 'operations',
    title: 'operations done',
    unit: () => 'count',
    better: null,
    role: 'silent',
    of: ({ operations }) => operations,
  },
];

/** `read` and `p99` make `read.p99`; of its rate a phase has the name alone. */
export function metricName(phase: string, { name }: Pick<Metric, 'name'>): string {
  return name === '' ? phase : `${phase}.${name}`;
}

/** What a metric was in each of the complete runs that know it. */
export function valuesOf(runs: readonly Run[], phase: string, metric: Metric): readonly number[] {
  return runs
    .filter(({ state }) => state === 'completed')
    .flatMap(({ measurements }) => measurements)
    .filter((measurement) => measurement.phase === phase)
    .map(metric.of)
    .filter((value) => value !== null);
}
