import { BUCKET_COUNT } from '../../../workers/latency-recorder.js';
import type { Phase } from '../../../workers/phases/phase.js';
import { OPERATIONS, READ_BYTES, WRITTEN_BYTES, type workerWords } from '../../../workers/protocol.js';
import { latencyAtPosition } from '../../report/measure/latency-summary.js';
import { countMovedBytes } from '../../report/measure/measurement.js';
import type { TimeSeries } from '../../report/schema/report.js';
import { sum } from '../../report/statistics/statistics.js';
import { MS_PER_SECOND, NS_PER_SECOND } from '../../text/units.js';
import { SuspensionClock } from '../kernel/suspension.js';

const INTERVAL_MS = 100;
/** Ten minutes of samples. At this count, the sampler drops every other sample and halves its rate. */
const MAX_SAMPLES = 6000;

/** Number of operations per bucket, without empty buckets. */
type Latencies = ReadonlyMap<number, number>;

/** Latencies in a slot of time, in ns. */
interface SlotLatency {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** The words of a worker that the sampler reads. */
type Words = Pick<ReturnType<typeof workerWords>, 'progress' | 'latencyCounts' | 'writeLatencyCounts'>;

/** The work that all workers together have done so far. */
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
  readonly #phase: Pick<Phase, 'primaryRate'>;
  readonly #words: readonly Words[];
  readonly #latencies: LatencySampler;
  readonly #onSample: (sample: ProgressSample) => void;
  readonly #suspension = new SuspensionClock(INTERVAL_MS);
  #samples: StoredSample[] = [];
  /** Latencies since the last stored sample. */
  #pending: Latencies = new Map();
  /** One sample in this many is stored. */
  #stride = 1;
  #ticks = 0;
  #timer: NodeJS.Timeout | undefined;
  #startNs = 0n;
  #suspendedMs = 0;

  constructor(
    phase: Pick<Phase, 'primaryRate'>,
    words: readonly Words[],
    onSample: (sample: ProgressSample) => void,
  ) {
    this.#phase = phase;
    this.#words = words;
    this.#latencies = new LatencySampler(
      words.flatMap(({ latencyCounts, writeLatencyCounts }) => [latencyCounts, writeLatencyCounts]),
    );
    this.#onSample = onSample;
  }

  start(startNs: bigint): void {
    this.#startNs = startNs;
    this.#timer = setInterval(() => {
      this.#ticks += 1;
      this.#suspendedMs += this.#suspension.takeSuspendedMs();
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
    this.#suspendedMs += this.#suspension.takeSuspendedMs();
    const { latencies, ...last } = this.#sample();
    this.#store(last);
    const slots = this.#samples.map((one) => computeSlotLatency(one.latencies));
    const series = {
      seconds: this.#samples.map(({ seconds }) => seconds),
      operations: this.#samples.map(({ operations }) => operations),
      bytes: this.#samples.map(({ bytes }) => bytes),
      ...(slots.some((slot) => slot !== null) && { latencyNs: toLatencyColumns(slots) }),
    };
    return { series, suspendedSeconds: this.#suspendedMs / MS_PER_SECOND };
  }

  #sample(): StoredSample {
    const latencies = this.#latencies.sample();
    this.#pending = addLatencies(this.#pending, latencies);
    const total = (word: number) => sum(this.#words.map(({ progress }) => progress[word] ?? 0));
    return {
      seconds: Number(process.hrtime.bigint() - this.#startNs) / NS_PER_SECOND,
      operations: total(OPERATIONS),
      bytes: countMovedBytes(this.#phase, total(READ_BYTES), total(WRITTEN_BYTES)),
      latencies,
    };
  }

  #store(sample: Omit<StoredSample, 'latencies'>): void {
    this.#samples.push({ ...sample, latencies: this.#pending });
    this.#pending = new Map();
    if (this.#samples.length < MAX_SAMPLES) return;
    this.#stride *= 2;
    const merged: StoredSample[] = [];
    let previous: StoredSample | null = null;
    for (const current of this.#samples) {
      if (previous)
        merged.push({ ...current, latencies: addLatencies(previous.latencies, current.latencies) });
      previous = previous ? null : current;
    }
    this.#samples = merged;
  }
}

function toLatencyColumns(slots: readonly (SlotLatency | null)[]): NonNullable<TimeSeries['latencyNs']> {
  return {
    p50: slots.map((slot) => slot?.p50 ?? null),
    p99: slots.map((slot) => slot?.p99 ?? null),
    max: slots.map((slot) => slot?.max ?? null),
  };
}

/** Reads the workers' latencies while they record more. */
class LatencySampler {
  readonly #counts: readonly Float64Array[];
  #before = new Float64Array(BUCKET_COUNT);

  constructor(counts: readonly Float64Array[]) {
    this.#counts = counts;
  }

  /** Returns the latencies of all workers since the last sample. */
  sample(): Latencies {
    const now = new Float64Array(BUCKET_COUNT);
    for (const counts of this.#counts) {
      for (let bucket = 0; bucket < BUCKET_COUNT; bucket++)
        now[bucket] = (now[bucket] ?? 0) + (counts[bucket] ?? 0);
    }
    const latencies = new Map<number, number>();
    for (const [bucket, count] of now.entries()) {
      const more = count - (this.#before[bucket] ?? 0);
      if (more > 0) latencies.set(bucket, more);
    }
    this.#before = now;
    return latencies;
  }
}

function addLatencies(one: Latencies, other: Latencies): Latencies {
  const sum = new Map(one);
  for (const [bucket, count] of other) sum.set(bucket, (sum.get(bucket) ?? 0) + count);
  return sum;
}

/** Returns percentiles as exact as the buckets. Null without operations. */
function computeSlotLatency(latencies: Latencies): SlotLatency | null {
  if (latencies.size === 0) return null;
  const sorted = [...latencies].toSorted(([one], [other]) => one - other);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  const at = (share: number) => latencyAtPosition(sorted, share * total);
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}
