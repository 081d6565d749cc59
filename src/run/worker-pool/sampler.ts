import { BUCKET_COUNT, bucketFloorNs, type LatencyTally } from '../../../workers/latency-recorder.js';
import type { Phase } from '../../../workers/phases/phase.js';
import {
  OPERATIONS,
  READ_BYTES,
  type Transfer,
  type WorkerTally,
  WRITTEN_BYTES,
} from '../../../workers/protocol.js';
import type { ProgressSample } from '../../report/events/event-record.js';
import { createQuantileFunction, toBuckets } from '../../report/measure/latency-summary.js';
import { countMovedBytes, isCopyIntoCache, type PhaseData } from '../../report/measure/measurement.js';
import { sum } from '../../report/statistics/statistics.js';
import { MS_PER_SECOND, NS_PER_SECOND } from '../../text/units.js';
import { createSuspensionClock, MIN_SUSPENDED_MS } from '../kernel/suspension.js';
import { readRecentOperations } from './recent-operations.js';

const INTERVAL_MS = 100;
/** With pauses, the timer also shows when the whole machine pauses. */
const PACED_INTERVAL_MS = 50;
/** A busy machine delays a timer by a few milliseconds. */
const MIN_PAUSE_MS = 5;
/** Ten minutes of samples. At this count, the sampler drops every other sample and halves its rate. */
const MAX_SAMPLES = 6000;

/** Number of operations per bucket, without empty buckets. */
type Latencies = ReadonlyMap<number, number>;

type Words = Readonly<Record<'progress' | 'latencyCounts' | 'writeLatencyCounts' | 'recent', Float64Array>>;

/** A stored sample, with all latencies since the previous stored sample. */
interface StoredSample extends Omit<ProgressSample, 'latencyNs' | 'recent'> {
  readonly latencies: Latencies;
}

interface SampledStep {
  readonly phase: Pick<Phase, 'primaryRate' | 'ioUnit'>;
  readonly transfer: Pick<Transfer, 'intervalMs' | 'readPercent' | 'direct' | 'syncPerWrite'>;
}

export type SampledProgress = Pick<PhaseData, 'series' | 'suspendedSeconds' | 'slowest'>;

/** Reads the workers' progress counters ten times a second, without disturbing them. */
export function startSampler(
  { phase: { primaryRate, ioUnit }, transfer }: SampledStep,
  words: readonly Words[],
  startNs: bigint,
  onSample: (sample: ProgressSample) => void,
) {
  const elapsedSeconds = () => Number(process.hrtime.bigint() - startNs) / NS_PER_SECOND;
  const recent = transfer.intervalMs === null ? null : readRecentOperations(words, elapsedSeconds);
  const workerCounts = words.flatMap((one) => {
    if (!isCopyIntoCache(ioUnit, transfer)) return [one.latencyCounts, one.writeLatencyCounts];
    // The time of a copy into the page cache is no latency of the disk.
    return transfer.readPercent === 0 ? [] : [one.latencyCounts];
  });
  const intervalMs = recent ? PACED_INTERVAL_MS : INTERVAL_MS;
  const takePausedMs = createSuspensionClock(intervalMs, MIN_PAUSE_MS);
  /** The sums of the latency counts at the last sample. */
  let lastCounts = new Float64Array(BUCKET_COUNT);
  let samples: StoredSample[] = [];
  /** Latencies since the last stored sample. */
  let pending: Latencies = new Map();
  /** One sample in this many is stored. */
  let stride = 1;
  let ticks = 0;
  let suspendedMs = 0;
  let operations = 0;

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

  const total = (word: number) => sum(words.map(({ progress }) => progress[word] ?? 0));

  const takeSample = (): StoredSample => {
    const latencies = takeLatencies();
    pending = addLatencies(pending, latencies);
    operations = total(OPERATIONS);
    return {
      seconds: elapsedSeconds(),
      operations,
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

  const summarize = (): SampledProgress => {
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
    const slowest = recent && { slowest: recent.slowest() };
    return { series, suspendedSeconds: suspendedMs / MS_PER_SECOND, ...slowest };
  };

  const noticePause = () => {
    const pausedMs = takePausedMs();
    if (pausedMs >= MIN_SUSPENDED_MS) suspendedMs += pausedMs;
    if (pausedMs > 0) recent?.addPause(pausedMs);
  };

  const timer = setInterval(() => {
    noticePause();
    // A step with pauses may last for days, and most of the time nothing happens.
    if (recent && total(OPERATIONS) === operations) return;
    ticks += 1;
    const sample = takeSample();
    const { latencies, ...progress } = sample;
    const slotLatency = computeSlotLatency(latencies);
    onSample({ ...progress, latencyNs: slotLatency, ...(recent && { recent: recent.take() }) });
    if (ticks % stride === 0) store(sample);
  }, intervalMs);

  return {
    stop: () => clearInterval(timer),
    /** Takes the last sample. Returns the stored samples, and how long the process was suspended. */
    finish(): SampledProgress {
      noticePause();
      const last = takeSample();
      const unseen = recent?.take() ?? [];
      if (unseen.length > 0) onSample({ ...last, latencyNs: null, recent: unseen });
      store(last);
      return summarize();
    },
    /** Returns the stored samples so far. */
    summarize,
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

/** Returns the work of a worker so far. The latencies are as exact as the buckets. */
export function tallySoFar({ progress, latencyCounts, writeLatencyCounts }: Words): WorkerTally {
  return {
    type: 'tally',
    operations: progress[OPERATIONS] ?? 0,
    readBytes: progress[READ_BYTES] ?? 0,
    writtenBytes: progress[WRITTEN_BYTES] ?? 0,
    endNs: process.hrtime.bigint(),
    latency: toLatencyTally(latencyCounts),
    writeLatency: toLatencyTally(writeLatencyCounts),
  };
}

function toLatencyTally(counts: Float64Array): LatencyTally {
  const used = Array.from(counts.keys()).filter((bucket) => (counts[bucket] ?? 0) > 0);
  return {
    samples: sum(used.map((bucket) => counts[bucket] ?? 0)),
    minNs: bucketFloorNs(used[0] ?? 0),
    maxNs: bucketFloorNs((used.at(-1) ?? -1) + 1),
    totalNs: sum(used.map((bucket) => (counts[bucket] ?? 0) * bucketFloorNs(bucket))),
    counts: counts.slice(),
  };
}
