import type { LatencyTally } from './protocol.js';

/** Buckets are exact up to 32 ns, then 32 to each doubling: none is wider than 3.2 % of its values. */
const STEPS = 32;
const STEP_BITS = 5;
/** Up to 2^53 ns, a hundred days. */
export const BUCKETS = STEPS * (53 - STEP_BITS + 1);

export function bucketOf(ns: number): number {
  if (ns < STEPS) return ns;
  const bits = ns < 2 ** 31 ? 31 - Math.clz32(ns) : Math.floor(Math.log2(ns));
  return Math.min(BUCKETS - 1, STEPS * (bits - STEP_BITS) + Math.floor(ns / 2 ** (bits - STEP_BITS)));
}

/** The smallest value of a bucket; the next bucket's is the first that is too large. */
export function bucketFloorNs(bucket: number): number {
  if (bucket < 2 * STEPS) return bucket;
  const doublings = Math.floor(bucket / STEPS) - 1;
  return ((bucket % STEPS) + STEPS) * 2 ** doublings;
}

/** Looking at the clock twice and counting may take so much of the time. */
const MOST_SHARE = 0.04;
/** One operation of so many is recorded. None shares a divisor with the ten of "one write to nine reads". */
const INTERVALS = [1, 3, 7, 13] as const;
const LONGEST_INTERVAL = 31;
/** After so many samples it is asked again whether every operation can be recorded. */
const SAMPLES_A_LOOK = 16;
const CLOCK_PAIRS = 500;
/**
 * Records how long operations take: every one, or where they are so short that the clock itself would show in the
 * figure, one of several.
 */
export class Latency {
  readonly #costNs = clockCostNs();
  readonly #counts = new Float64Array(BUCKETS);
  #samples = 0;
  #minNs = Number.POSITIVE_INFINITY;
  #maxNs = 0;
  #totalNs = 0;
  #interval = 1;
  /** How many operations there are until the next one that is recorded. */
  #left = 1;
  #lookNs = process.hrtime.bigint();

  begin(): bigint {
    this.#left -= 1;
    return this.#left > 0 ? 0n : process.hrtime.bigint();
  }

  end(beganNs: bigint): void {
    if (this.#left > 0) return;
    const endedNs = process.hrtime.bigint();
    const ns = Number(endedNs - beganNs);
    const bucket = bucketOf(ns);
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + this.#interval;
    this.#totalNs += ns * this.#interval;
    if (ns < this.#minNs) this.#minNs = ns;
    if (ns > this.#maxNs) this.#maxNs = ns;
    this.#samples += 1;
    if (this.#samples % SAMPLES_A_LOOK === 0) this.#adapt(endedNs);
    this.#left = this.#interval;
  }

  tally(): LatencyTally {
    return {
      samples: this.#samples,
      minNs: this.#samples > 0 ? this.#minNs : 0,
      maxNs: this.#maxNs,
      totalNs: this.#totalNs,
      counts: this.#counts,
    };
  }

  /** Operations differ from one moment to the next: out of memory they take 1 µs, from a disk 10 ms. */
  #adapt(nowNs: bigint): void {
    const operationNs = Number(nowNs - this.#lookNs) / (SAMPLES_A_LOOK * this.#interval);
    const wanted = this.#costNs / (MOST_SHARE * operationNs);
    this.#interval = INTERVALS.find((interval) => interval >= wanted) ?? LONGEST_INTERVAL;
    this.#lookNs = nowNs;
  }
}

/** What looking at the clock twice takes here, where it may be a system call: at best, as once the loop is compiled. */
function clockCostNs(): number {
  let bestNs = Number.POSITIVE_INFINITY;
  for (let batch = 0; batch < 10; batch++) {
    const startNs = process.hrtime.bigint();
    for (let pair = 1; pair < CLOCK_PAIRS; pair++) process.hrtime.bigint() - process.hrtime.bigint();
    bestNs = Math.min(bestNs, Number(process.hrtime.bigint() - startNs) / CLOCK_PAIRS);
  }
  return bestNs;
}
