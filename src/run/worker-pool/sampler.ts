import { BUCKET_COUNT } from '../../../workers/latency-recorder.js';
import type { Phase } from '../../../workers/phases/phase.js';
import { OPERATIONS, READ_BYTES, WRITTEN_BYTES } from '../../../workers/protocol.js';
import type { ProgressSample } from '../../report/events/event-record.js';
import { createQuantileFunction, toBuckets } from '../../report/measure/latency-summary.js';
import { countMovedBytes } from '../../report/measure/measurement.js';
import type { TimeSeries } from '../../report/schema/report.js';
import { sum } from '../../report/statistics/statistics.js';
import { MS_PER_SECOND, NS_PER_SECOND } from '../../text/units.js';
import { createSuspensionClock } from '../kernel/suspension.js';

const INTERVAL_MS = 100;
/** Ten minutes of samples. At this count, the sampler drops every other sample and halves its rate. */
const MAX_SAMPLES = 6000;

/** Number of operations per bucket, without empty buckets. */
type Latencies = ReadonlyMap<number, number>;

type Words = Readonly<Record<'progress' | 'latencyCounts' | 'writeLatencyCounts', Float64Array>>;

/** A stored sample, with all latencies since the previous stored sample. */
interface StoredSample extends Omit<ProgressSample, 'latencyNs'> {
  readonly latencies: Latencies;
}

/** Reads the workers' progress counters ten times a second, without disturbing them. */
export function startSampler(
  { primaryRate }: Pick<Phase, 'primaryRate'>,
  words: readonly Words[],
  startNs: bigint,
  onSample: (sample: ProgressSample) => void,
) {
  const workerCounts = words.flatMap((one) => [one.latencyCounts, one.writeLatencyCounts]);
  const takeSuspendedMs = createSuspensionClock(INTERVAL_MS);
  /** The sums of the latency counts at the last sample. */
  let lastCounts = new Float64Array(BUCKET_COUNT);
  let samples: StoredSample[] = [];
  /** Latencies since the last stored sample. */
  let pending: Latencies = new Map();
  /** One sample in this many is stored. */
  let stride = 1;
  let ticks = 0;
  let suspendedMs = 0;

  /** Returns the latencies of all workers since the last call. The workers record more meanwhile. */
  const takeLatencies = (): Latencies => {
    const counts = new Float64Array(BUCKET_COUNT);
    for (const one of workerCounts)
      for (let bucket = 0; bucket < counts.length; bucket++)
        counts[bucket] = (counts[bucket] ?? 0) + (one[bucket] ?? 0);
    const latencies = new Map<number, number>();
    for (let bucket = 0; bucket < counts.length; bucket++) {
      const more = (counts[bucket] ?? 0) - (lastCounts[bucket] ?? 0);
      if (more > 0) latencies.set(bucket, more);
    }
    lastCounts = counts;
    return latencies;
  };

  const takeSample = (): StoredSample => {
    suspendedMs += takeSuspendedMs();
    const latencies = takeLatencies();
    pending = addLatencies(pending, latencies);
    const total = (word: number) => sum(words.map(({ progress }) => progress[word] ?? 0));
    return {
      seconds: Number(process.hrtime.bigint() - startNs) / NS_PER_SECOND,
      operations: total(OPERATIONS),
      bytes: countMovedBytes(primaryRate, total(READ_BYTES), total(WRITTEN_BYTES)),
      latencies,
    };
  };

  const store = (sample: StoredSample) => {
    samples.push({ ...sample, latencies: pending });
    pending = new Map();
    if (samples.length < MAX_SAMPLES) return;
    stride *= 2;
    samples = samples.flatMap((current, at, all) => {
      const previous = all[at - 1];
      if (!previous || at % 2 === 0) return [];
      return [{ ...current, latencies: addLatencies(previous.latencies, current.latencies) }];
    });
  };

  const timer = setInterval(() => {
    ticks += 1;
    const sample = takeSample();
    const { latencies, ...progress } = sample;
    onSample({ ...progress, latencyNs: computeSlotLatency(latencies) });
    if (ticks % stride === 0) store(sample);
  }, INTERVAL_MS);

  return {
    stop: () => clearInterval(timer),
    /** Takes the last sample. Returns the stored samples, and how long the process was suspended. */
    finish(): { readonly series: TimeSeries; readonly suspendedSeconds: number } {
      store(takeSample());
      const slots = samples.map((one) => computeSlotLatency(one.latencies));
      const series = {
        seconds: samples.map(({ seconds }) => seconds),
        operations: samples.map(({ operations }) => operations),
        bytes: samples.map(({ bytes }) => bytes),
        ...(slots.some((slot) => slot !== null) && {
          latencyNs: {
            p50: slots.map((slot) => slot?.p50 ?? null),
            p99: slots.map((slot) => slot?.p99 ?? null),
            max: slots.map((slot) => slot?.max ?? null),
          },
        }),
      };
      return { series, suspendedSeconds: suspendedMs / MS_PER_SECOND };
    },
  };
}

function addLatencies(one: Latencies, other: Latencies): Latencies {
  const added = new Map(one);
  for (const [bucket, count] of other) added.set(bucket, (added.get(bucket) ?? 0) + count);
  return added;
}

/** Returns percentiles as exact as the buckets. Null without operations. */
function computeSlotLatency(latencies: Latencies) {
  if (latencies.size === 0) return null;
  const sorted = [...latencies].toSorted(([one], [other]) => one - other);
  const at = createQuantileFunction({ min: 0, max: Infinity, buckets: toBuckets(sorted) });
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}
