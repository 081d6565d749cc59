import { type PhaseFigures, rateOf } from './results.js';
import type { Unit } from './schema/unit.js';

/** What is counted, whichever number of it is told: metric systems have a family of figures for each. */
export interface Quantity {
  readonly name: string;
  readonly title: string;
}

/** One number of a phase's result: its name follows the phase's, as in `read.p99`. */
export interface Metric {
  /** Empty for the rate that the phase is known by. */
  readonly name: string;
  readonly title: string;
  readonly quantity: Quantity;
  /** How much of the quantity's distribution is not above it. Null where it is no part of one. */
  readonly quantile: number | null;
  readonly unit: (phase: Pick<PhaseFigures, 'figure'>) => Unit;
  /** Which of two is the better one. Null where that cannot be said. */
  readonly better: 'more' | 'less' | null;
  /** In a comparison: it decides, it is shown, or it says nothing that the others do not say. */
  readonly role: 'judged' | 'shown' | 'silent';
  /** Whether it is told where there is room for a few only. */
  readonly isBrief: boolean;
  /** Null where it is not known. */
  readonly of: (result: PhaseFigures) => number | null;
}

type LatencyKey = keyof PhaseFigures['latencyNs'];

const LATENCY: Quantity = { name: 'latency', title: 'how long an operation took' };

/** What the rows leave open where nothing speaks for anything else. */
const PLAIN = { quantile: null, better: null, role: 'silent', isBrief: false } as const;

function latency(name: LatencyKey, title: string, quantile: number, isBrief = false): Metric {
  return {
    name,
    title,
    quantity: LATENCY,
    quantile,
    unit: () => 'nanoseconds',
    better: 'less',
    role: 'shown',
    isBrief,
    of: ({ latencyNs }) => latencyNs[name] ?? null,
  };
}

/** The rate that a phase is known by. */
const rate: Metric = {
  name: '',
  title: 'rate',
  quantity: { name: 'rate', title: 'the rate that the phase is known by' },
  quantile: null,
  unit: ({ figure }) => (figure === 'bytes' ? 'bytesPerSecond' : 'operationsPerSecond'),
  better: 'more',
  role: 'judged',
  isBrief: true,
  of: rateOf,
};

/** Every one, one row each. */
export const metrics: readonly Metric[] = [
  rate,
  {
    ...PLAIN,
    name: 'durable',
    title: 'rate until all of it was on the device',
    quantity: { name: 'durable', title: 'the rate until all that was written was on the device' },
    unit: () => 'bytesPerSecond',
    better: 'more',
    role: 'shown',
    isBrief: true,
    of: ({ durableBytesPerSecond }) => durableBytesPerSecond,
  },
  {
    ...PLAIN,
    name: 'throughput',
    title: 'bytes a second',
    quantity: { name: 'throughput', title: 'how much was moved a second' },
    unit: () => 'bytesPerSecond',
    better: 'more',
    of: ({ bytesPerSecond }) => bytesPerSecond,
  },
  {
    ...PLAIN,
    name: 'ops',
    title: 'operations a second',
    quantity: { name: 'throughput', title: 'how much was done a second' },
    unit: () => 'operationsPerSecond',
    better: 'more',
    of: ({ operationsPerSecond }) => operationsPerSecond,
  },
  latency('min', 'shortest operation', 0),
  {
    ...PLAIN,
    name: 'mean',
    title: 'mean latency',
    quantity: { name: 'latency_mean', title: 'how long an operation took on an average' },
    unit: () => 'nanoseconds',
    better: 'less',
    role: 'shown',
    of: ({ latencyNs }) => latencyNs.mean ?? null,
  },
  latency('p50', 'median latency', 0.5, true),
  latency('p90', '90th percentile of the latency', 0.9),
  latency('p99', '99th percentile of the latency', 0.99, true),
  latency('p999', '99.9th percentile of the latency', 0.999),
  latency('p9999', '99.99th percentile of the latency', 0.9999),
  latency('max', 'longest operation', 1, true),
  {
    ...PLAIN,
    name: 'share',
    title: 'share that the device served',
    quantity: { name: 'device', title: 'how much of it the device served, and not memory' },
    unit: () => 'share',
    role: 'shown',
    isBrief: true,
    of: ({ deviceShare }) => deviceShare,
  },
  {
    ...PLAIN,
    name: 'cpu',
    title: 'processor time, of the elapsed',
    quantity: { name: 'cpu', title: 'the processor time that it took, of the elapsed: 2 are two processors' },
    unit: () => 'percent',
    role: 'shown',
    isBrief: true,
    of: ({ cpuPercent }) => cpuPercent,
  },
  {
    ...PLAIN,
    name: 'seconds',
    title: 'duration',
    quantity: { name: 'duration', title: 'how long the phase took' },
    unit: () => 'seconds',
    of: ({ seconds }) => seconds,
  },
  {
    ...PLAIN,
    name: 'bytes',
    title: 'bytes moved',
    quantity: { name: 'moved', title: 'how much was moved' },
    unit: () => 'bytes',
    of: ({ bytes }) => bytes,
  },
  {
    ...PLAIN,
    name: 'operations',
    title: 'operations done',
    quantity: { name: 'operations', title: 'how many operations were done' },
    unit: () => 'count',
    of: ({ operations }) => operations,
  },
];

/** `read` and `p99` make `read.p99`; of its rate a phase has the name alone. */
export function metricName(phase: string, { name }: Pick<Metric, 'name'>): string {
  return name === '' ? phase : `${phase}.${name}`;
}

/** What a metric was in each run that knows it. */
export function valuesOf(rows: readonly PhaseFigures[], metric: Metric): readonly number[] {
  return rows.map(metric.of).filter((value) => value !== null);
}
