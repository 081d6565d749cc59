import type { Phase } from '../../../workers/phases/phase.js';
import { OPERATIONS, READ_BYTES, WRITTEN_BYTES } from '../../../workers/protocol.js';
import { bytesOf } from '../../report/measure/measurement.js';
import type { TimeSeries } from '../../report/schema/report.js';
import { sum } from '../../report/statistics/statistics.js';
import { MS_PER_SECOND, NS_PER_SECOND } from '../../text/units.js';
import { SuspensionClock } from '../kernel/suspension.js';
import { type Latencies, LatencyWatch, type SlotLatency, slotLatencyOf, together } from './latency-watch.js';

const INTERVAL_MS = 100;
/** Ten minutes of samples. When there are that many, every other one is dropped, and then half as many are kept. */
const MOST_SAMPLES = 6000;

/** What all workers together have done so far. */
export interface Amounts {
  readonly seconds: number;
  readonly operations: number;
  readonly bytes: number;
}

export interface Sample extends Amounts {
  /** Of the operations that ended since the sample before. Null if there are none. */
  readonly latencyNs: SlotLatency | null;
}

/** A sample as it is kept, with all latencies since the one before. */
interface Kept extends Omit<Sample, 'latencyNs'> {
  readonly latencies: Latencies;
}

/** Reads the workers' progress counters ten times a second, without disturbing them. */
export class Sampler {
  readonly #phase: Pick<Phase, 'primaryRate'>;
  readonly #progress: readonly Float64Array[];
  readonly #latencies: LatencyWatch;
  readonly #onSample: (sample: Sample) => void;
  readonly #suspension = new SuspensionClock(INTERVAL_MS);
  #kept: Kept[] = [];
  /** Those since the last kept sample. */
  #pending: Latencies = new Map();
  /** One sample in this many is kept. */
  #every = 1;
  #ticks = 0;
  #timer: NodeJS.Timeout | undefined;
  #startNs = 0n;
  #suspendedMs = 0;

  constructor(
    phase: Pick<Phase, 'primaryRate'>,
    progress: readonly Float64Array[],
    latencyCounts: readonly Float64Array[],
    onSample: (sample: Sample) => void,
  ) {
    this.#phase = phase;
    this.#progress = progress;
    this.#latencies = new LatencyWatch(latencyCounts);
    this.#onSample = onSample;
  }

  start(startNs: bigint): void {
    this.#startNs = startNs;
    this.#timer = setInterval(() => {
      this.#ticks += 1;
      this.#suspendedMs += this.#suspension.lookMs();
      const { latencies, ...sample } = this.#sample();
      this.#onSample({ ...sample, latencyNs: slotLatencyOf(latencies) });
      if (this.#ticks % this.#every === 0) this.#keep(sample);
    }, INTERVAL_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  amounts(): Amounts {
    const total = (word: number) => sum(this.#progress.map((words) => words[word] ?? 0));
    return {
      seconds: Number(process.hrtime.bigint() - this.#startNs) / NS_PER_SECOND,
      operations: total(OPERATIONS),
      bytes: bytesOf(this.#phase, total(READ_BYTES), total(WRITTEN_BYTES)),
    };
  }

  /** The kept samples with a last one taken now, and for how long the process was suspended. */
  finish(): { readonly series: TimeSeries; readonly suspendedSeconds: number } {
    this.stop();
    this.#suspendedMs += this.#suspension.lookMs();
    const { latencies, ...last } = this.#sample();
    this.#keep(last);
    const slots = this.#kept.map((one) => slotLatencyOf(one.latencies));
    const series = {
      seconds: this.#kept.map(({ seconds }) => seconds),
      operations: this.#kept.map(({ operations }) => operations),
      bytes: this.#kept.map(({ bytes }) => bytes),
      ...(slots.some((slot) => slot !== null) && { latencyNs: columnsOf(slots) }),
    };
    return { series, suspendedSeconds: this.#suspendedMs / MS_PER_SECOND };
  }

  #sample(): Kept {
    const latencies = this.#latencies.look();
    this.#pending = together(this.#pending, latencies);
    return { ...this.amounts(), latencies };
  }

  #keep(sample: Omit<Kept, 'latencies'>): void {
    this.#kept.push({ ...sample, latencies: this.#pending });
    this.#pending = new Map();
    if (this.#kept.length < MOST_SAMPLES) return;
    this.#every *= 2;
    this.#kept = this.#kept.flatMap((one, at, all) => {
      const before = all[at - 1];
      return at % 2 === 1 && before ? [{ ...one, latencies: together(before.latencies, one.latencies) }] : [];
    });
  }
}

function columnsOf(slots: readonly (SlotLatency | null)[]): NonNullable<TimeSeries['latencyNs']> {
  return {
    p50: slots.map((slot) => slot?.p50 ?? null),
    p99: slots.map((slot) => slot?.p99 ?? null),
    max: slots.map((slot) => slot?.max ?? null),
  };
}
