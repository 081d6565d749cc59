import type { LatencyTally } from './protocol.js';

/** Buckets are exact up to 32 ns, then 32 to each doubling: none is wider than 3.2 % of its values. */
const STEPS = 32;
const STEP_BITS = 5;
/** Up to 2^53 ns, a hundred days. */
export const BUCKETS = STEPS * (53 - STEP_BITS + 1);
const TWO_TO_31 = 2 ** 31;

export function bucketOf(ns: number): number {
  if (ns < STEPS) return ns;
  if (ns < TWO_TO_31) {
    const doublings = 31 - Math.clz32(ns) - STEP_BITS;
    return STEPS * doublings + (ns >>> doublings);
  }
  const doublings = Math.floor(Math.log2(ns)) - STEP_BITS;
  return Math.min(BUCKETS - 1, STEPS * doublings + Math.floor(ns / 2 ** doublings));
}

/** The smallest value of a bucket; the next bucket's is the first that is too large. */
export function bucketFloorNs(bucket: number): number {
  if (bucket < 2 * STEPS) return bucket;
  const doublings = Math.floor(bucket / STEPS) - 1;
  return ((bucket % STEPS) + STEPS) * 2 ** doublings;
}

/** Recording may take so much of the time. */
const MOST_SHARE = 0.04;
/**
 * Between system calls the clock takes several times what it takes in a loop of its own: 64 KiB that were just copied
 * have driven its code and data out of the processor's caches.
 */
const COLD = 10;
/** So many operations in a row are recorded, with all their kinds: of ten random ones one writes. */
const BURST = 40;
/** A burst of so many, at most, is recorded. */
const LONGEST_INTERVAL = 16;
const CLOCK_PAIRS = 500;

/**
 * Records how long operations take: every one, or where they are so short that the clock itself would show in the
 * figure, one burst of several.
 */
export class Latency {
  readonly #costNs = COLD * clockCostNs();
  readonly #counts = new Float64Array(BUCKETS);
  #samples = 0;
  #minNs = Number.POSITIVE_INFINITY;
  #maxNs = 0;
  #totalNs = 0;
  /** How many operations each recorded one stands for. */
  #interval = 1;
  #skip = 0;
  #burst = 0;
  #burstNs = 0;

  begin(): bigint {
    return this.#skip > 0 ? 0n : process.hrtime.bigint();
  }

  end(beganNs: bigint): void {
    if (this.#skip > 0) {
      this.#skip -= 1;
      return;
    }
    const ns = Number(process.hrtime.bigint() - beganNs);
    const bucket = bucketOf(ns);
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + this.#interval;
    this.#totalNs += ns * this.#interval;
    if (ns < this.#minNs) this.#minNs = ns;
    if (ns > this.#maxNs) this.#maxNs = ns;
    this.#samples += 1;
    this.#burst += 1;
    this.#burstNs += ns;
    if (this.#burst === BURST) this.#adapt();
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
  #adapt(): void {
    const wanted = this.#costNs / (MOST_SHARE * (this.#burstNs / BURST));
    this.#interval = Math.min(LONGEST_INTERVAL, Math.max(1, Math.ceil(wanted)));
    this.#skip = BURST * (this.#interval - 1);
    this.#burst = 0;
    this.#burstNs = 0;
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
