import type { Phase } from '../../../workers/phases/phase.js';
import { OPERATIONS, READ_BYTES, WRITTEN_BYTES } from '../../../workers/protocol.js';
import { countMovedBytes } from '../../report/measure/measurement.js';
import type { TimeSeries } from '../../report/schema/report.js';
import { sum } from '../../report/statistics/statistics.js';
import { MS_PER_SECOND, NS_PER_SECOND } from '../../text/units.js';
import { SuspensionClock } from '../kernel/suspension.js';
import {
  addLatencies,
  computeSlotLatency,
  type Latencies,
  LatencySampler,
  type SlotLatency,
} from './latency-sampler.js';

const INTERVAL_MS = 100;
/** Ten minutes of samples. When there are that many, every other one is dropped, and then half as many are kept. */
const MAX_SAMPLES = 6000;

/** What all workers together have done so far. */
export interface ProgressTotals {
  readonly seconds: number;
  readonly operations: number;
  readonly bytes: number;
}

export interface ProgressSample extends ProgressTotals {
  /** Of the operations that ended since the sample before. Null if there are none. */
  readonly latencyNs: SlotLatency | null;
}

/** A sample as it is kept, with all latencies since the one before. */
interface StoredSample extends Omit<ProgressSample, 'latencyNs'> {
  readonly latencies: Latencies;
}

/** Reads the workers' progress counters ten times a second, without disturbing them. */
export class Sampler {
  readonly #phase: Pick<Phase, 'primaryRate'>;
  readonly #progress: readonly Float64Array[];
  readonly #latencies: LatencySampler;
  readonly #onSample: (sample: ProgressSample) => void;
  readonly #suspension = new SuspensionClock(INTERVAL_MS);
  #samples: StoredSample[] = [];
  /** Those since the last kept sample. */
  #pending: Latencies = new Map();
  /** One sample in this many is kept. */
  #stride = 1;
  #ticks = 0;
  #timer: NodeJS.Timeout | undefined;
  #startNs = 0n;
  #suspendedMs = 0;

  constructor(
    phase: Pick<Phase, 'primaryRate'>,
    progress: readonly Float64Array[],
    latencyCounts: readonly Float64Array[],
    onSample: (sample: ProgressSample) => void,
  ) {
    this.#phase = phase;
    this.#progress = progress;
    this.#latencies = new LatencySampler(latencyCounts);
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

  totals(): ProgressTotals {
    const total = (word: number) => sum(this.#progress.map((words) => words[word] ?? 0));
    return {
      seconds: Number(process.hrtime.bigint() - this.#startNs) / NS_PER_SECOND,
      operations: total(OPERATIONS),
      bytes: countMovedBytes(this.#phase, total(READ_BYTES), total(WRITTEN_BYTES)),
    };
  }

  /** The kept samples with a last one taken now, and for how long the process was suspended. */
  finish(): { readonly series: TimeSeries; readonly suspendedSeconds: number } {
    this.stop();
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
    return { ...this.totals(), latencies };
  }

  #store(sample: Omit<StoredSample, 'latencies'>): void {
    this.#samples.push({ ...sample, latencies: this.#pending });
    this.#pending = new Map();
    if (this.#samples.length < MAX_SAMPLES) return;
    this.#stride *= 2;
    this.#samples = this.#samples.flatMap((one, at, all) => {
      const before = all[at - 1];
      return at % 2 === 1 && before
        ? [{ ...one, latencies: addLatencies(before.latencies, one.latencies) }]
        : [];
    });
  }
}

function toLatencyColumns(slots: readonly (SlotLatency | null)[]): NonNullable<TimeSeries['latencyNs']> {
  return {
    p50: slots.map((slot) => slot?.p50 ?? null),
    p99: slots.map((slot) => slot?.p99 ?? null),
    max: slots.map((slot) => slot?.max ?? null),
  };
}
