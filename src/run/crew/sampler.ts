import { OPERATIONS, READ_BYTES, WRITTEN_BYTES } from '../../../workers/protocol.js';
import type { Series } from '../../report/schema/report.js';
import { sum } from '../../report/statistics/statistics.js';
import { MS_PER_SECOND, NS_PER_SECOND } from '../../text/units.js';
import { Standstill } from '../kernel/suspension.js';

const INTERVAL_MS = 100;
/** Ten minutes of it; from then on every other sample is let go, again and again. */
const MOST_SAMPLES = 6000;

/** What all workers together have done so far. */
export interface Progress {
  readonly seconds: number;
  readonly operations: number;
  readonly readBytes: number;
  readonly writtenBytes: number;
}

/** What a worker had done at each of the samples. */
interface Track {
  readonly operations: number[];
  readonly bytes: number[];
}

/** Looks ten times a second at what every worker has done so far. The workers know nothing of it. */
export class Sampler {
  readonly #progress: readonly Float64Array[];
  readonly #onProgress: (progress: Progress) => void;
  readonly #seconds: number[] = [];
  readonly #tracks: Track[];
  #timer: NodeJS.Timeout | undefined;
  #startNs = 0n;
  readonly #standstill = new Standstill(INTERVAL_MS);
  #standstillMs = 0;
  /** One tick of the timer in so many is a sample. */
  #every = 1;
  #ticks = 0;

  constructor(progress: readonly Float64Array[], onProgress: (progress: Progress) => void) {
    this.#progress = progress;
    this.#onProgress = onProgress;
    this.#tracks = progress.map(() => ({ operations: [], bytes: [] }));
  }

  start(startNs: bigint): void {
    this.#startNs = startNs;
    this.#timer = setInterval(() => {
      this.#ticks += 1;
      this.#standstillMs += this.#standstill.lookMs();
      this.#tell();
      if (this.#ticks % this.#every === 0) this.#take();
    }, INTERVAL_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** All samples, and a last one of now. */
  finish(): Series {
    this.stop();
    this.#standstillMs += this.#standstill.lookMs();
    this.#take();
    return { seconds: this.#seconds, threads: this.#tracks };
  }

  /** For how long the process did not run, once it is finished. */
  get standstillSeconds(): number {
    return this.#standstillMs / MS_PER_SECOND;
  }

  #tell(): void {
    const totalOf = (word: number) => sum(this.#progress.map((words) => words[word] ?? 0));
    this.#onProgress({
      seconds: this.#elapsedSeconds(),
      operations: totalOf(OPERATIONS),
      readBytes: totalOf(READ_BYTES),
      writtenBytes: totalOf(WRITTEN_BYTES),
    });
  }

  #elapsedSeconds(): number {
    return Number(process.hrtime.bigint() - this.#startNs) / NS_PER_SECOND;
  }

  #take(): void {
    this.#seconds.push(this.#elapsedSeconds());
    for (const [index, { operations, bytes }] of this.#tracks.entries()) {
      const progress = this.#progress[index];
      operations.push(progress?.[OPERATIONS] ?? 0);
      bytes.push((progress?.[READ_BYTES] ?? 0) + (progress?.[WRITTEN_BYTES] ?? 0));
    }
    if (this.#seconds.length >= MOST_SAMPLES) this.#thin();
  }

  #thin(): void {
    this.#every *= 2;
    for (const list of [
      this.#seconds,
      ...this.#tracks.flatMap(({ operations, bytes }) => [operations, bytes]),
    ]) {
      const kept = list.filter((_, at) => at % 2 === 1);
      list.splice(0, list.length, ...kept);
    }
  }
}
