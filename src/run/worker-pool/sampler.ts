import { BUCKET_COUNT } from '../../../workers/latency-recorder.js';
import type { Phase } from '../../../workers/phases/phase.js';
import { OPERATIONS, READ_BYTES, WRITTEN_BYTES } from '../../../workers/protocol.js';
import { latencyAtPosition } from '../../report/measure/latency-summary.js';
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

interface SlotLatency {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

type Words = Readonly<Record<'progress' | 'latencyCounts' | 'writeLatencyCounts', Float64Array>>;

export interface ProgressSample {
  readonly seconds: number;
  readonly operations: number;
  readonly bytes: number;
  /** Latencies of the operations that ended since the previous sample. Null without operations. */
  readonly latencyNs: SlotLatency | null;
}

/** A stored sample, with all latencies since the previous stored sample. */
interface StoredSample extends Omit<ProgressSample, 'latencyNs'> {
  readonly latencies: Latencies;
}

/** Reads the workers' progress counters ten times a second, without disturbing them. */
export class Sampler {
  readonly #phase: Phase;
  readonly #words: readonly Words[];
  readonly #latencyCounts: readonly Float64Array[];
  /** The sums of the latency counts at the last sample. */
  #lastCounts = new Float64Array(BUCKET_COUNT);
  readonly #onSample: (sample: ProgressSample) => void;
  readonly #takeSuspendedMs = createSuspensionClock(INTERVAL_MS);
  #samples: StoredSample[] = [];
  /** Latencies since the last stored sample. */
  #pending: Latencies = new Map();
  /** One sample in this many is stored. */
  #stride = 1;
  #ticks = 0;
  #timer: NodeJS.Timeout | undefined;
  #startNs = 0n;
  #suspendedMs = 0;

  constructor(phase: Phase, words: readonly Words[], onSample: (sample: ProgressSample) => void) {
    this.#phase = phase;
    this.#words = words;
    this.#latencyCounts = words.flatMap((one) => [one.latencyCounts, one.writeLatencyCounts]);
    this.#onSample = onSample;
  }

  start(startNs: bigint): void {
    this.#startNs = startNs;
    this.#timer = setInterval(() => {
      this.#ticks += 1;
      this.#suspendedMs += this.#takeSuspendedMs();
      const { latencies, ...sample } = this.#sample();
      this.#onSample({ ...sample, latencyNs: computeSlotLatency(latencies) });
      if (this.#ticks % this.#stride === 0) this.#store(sample);
    }, INTERVAL_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Takes the last sample. Returns the stored samples, and how long the process was suspended. */
  finish(): { readonly series: TimeSeries; readonly suspendedSeconds: number } {
    this.#suspendedMs += this.#takeSuspendedMs();
    const { latencies, ...last } = this.#sample();
    this.#store(last);
    const slots = this.#samples.map((one) => computeSlotLatency(one.latencies));
    const series = {
      seconds: this.#samples.map(({ seconds }) => seconds),
      operations: this.#samples.map(({ operations }) => operations),
      bytes: this.#samples.map(({ bytes }) => bytes),
      ...(slots.some((slot) => slot !== null) && {
        latencyNs: {
          p50: slots.map((slot) => slot?.p50 ?? null),
          p99: slots.map((slot) => slot?.p99 ?? null),
          max: slots.map((slot) => slot?.max ?? null),
        },
      }),
    };
    return { series, suspendedSeconds: this.#suspendedMs / MS_PER_SECOND };
  }

  #sample(): StoredSample {
    const latencies = this.#takeLatencies();
    this.#pending = addLatencies(this.#pending, latencies);
    const total = (word: number) => sum(this.#words.map(({ progress }) => progress[word] ?? 0));
    return {
      seconds: Number(process.hrtime.bigint() - this.#startNs) / NS_PER_SECOND,
      operations: total(OPERATIONS),
      bytes: countMovedBytes(this.#phase.primaryRate, total(READ_BYTES), total(WRITTEN_BYTES)),
      latencies,
    };
  }

  /** Returns the latencies of all workers since the last call. The workers record more meanwhile. */
  #takeLatencies(): Latencies {
    const counts = new Float64Array(BUCKET_COUNT);
    for (const workerCounts of this.#latencyCounts)
      for (let bucket = 0; bucket < BUCKET_COUNT; bucket++)
        counts[bucket] = (counts[bucket] ?? 0) + (workerCounts[bucket] ?? 0);
    const latencies = new Map<number, number>();
    for (const [bucket, count] of counts.entries()) {
      const more = count - (this.#lastCounts[bucket] ?? 0);
      if (more > 0) latencies.set(bucket, more);
    }
    this.#lastCounts = counts;
    return latencies;
  }

  #store(sample: Omit<StoredSample, 'latencies'>): void {
    this.#samples.push({ ...sample, latencies: this.#pending });
    this.#pending = new Map();
    if (this.#samples.length < MAX_SAMPLES) return;
    this.#stride *= 2;
    this.#samples = this.#samples.flatMap((current, at, all) => {
      const previous = all[at - 1];
      if (!previous || at % 2 === 0) return [];
      return [{ ...current, latencies: addLatencies(previous.latencies, current.latencies) }];
    });
  }
}

function addLatencies(one: Latencies, other: Latencies): Latencies {
  const added = new Map(one);
  for (const [bucket, count] of other) added.set(bucket, (added.get(bucket) ?? 0) + count);
  return added;
}

/** Returns percentiles as exact as the buckets. Null without operations. */
function computeSlotLatency(latencies: Latencies): SlotLatency | null {
  if (latencies.size === 0) return null;
  const sorted = [...latencies].toSorted(([one], [other]) => one - other);
  const total = sum([...latencies.values()]);
  const at = (share: number) => latencyAtPosition(sorted, share * total);
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}
