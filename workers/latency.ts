/** How long the operations took. A recorded one also stands for those skipped after it. */
export interface LatencyTally {
  /** How many were recorded. */
  readonly samples: number;
  readonly minNs: number;
  readonly maxNs: number;
  /** The time of all operations that the recorded ones stand for. */
  readonly totalNs: number;
  /** How many of them are in each bucket: see `bucketOf`. */
  readonly counts: Float64Array;
}

/** Buckets are exact up to 32 ns, then 32 per doubling: none is wider than 3.2 % of its values. */
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

/** The smallest value of a bucket. */
export function bucketFloorNs(bucket: number): number {
  if (bucket < 2 * STEPS) return bucket;
  const doublings = Math.floor(bucket / STEPS) - 1;
  return ((bucket % STEPS) + STEPS) * 2 ** doublings;
}

/** The share of the time that recording may take. */
const MOST_SHARE = 0.04;
/**
 * Between system calls the clock takes several times longer than in a tight loop: the data just copied has displaced
 * its code and data from the CPU's caches.
 */
const COLD = 10;
/** Recorded operations come in bursts of this many, to include all kinds: one random operation in ten writes. */
const BURST = 40;
/** At least one burst in this many is recorded. */
const LONGEST_INTERVAL = 16;
const CLOCK_PAIRS = 500;

/**
 * Records how long operations take: every one, or one burst in several if operations are so short that reading the
 * clock would show in the figure.
 */
export class LatencyRecorder {
  readonly #costNs = COLD * clockCostNs();
  readonly #counts: Float64Array;
  #samples = 0;
  #minNs = Number.POSITIVE_INFINITY;
  #maxNs = 0;
  #totalNs = 0;
  /** How many operations a recorded one stands for. */
  #interval = 1;
  #skip = 0;
  #burst = 0;
  #burstNs = 0;

  /** The main thread may look at the counts, which are cleared now. */
  constructor(counts: Float64Array = new Float64Array(BUCKETS)) {
    this.#counts = counts.fill(0);
  }

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
      // A copy: the next phase clears these.
      counts: this.#counts.slice(),
    };
  }

  /** Durations change during a phase: 1 µs from memory, 10 ms from a disk. */
  #adapt(): void {
    const wanted = this.#costNs / (MOST_SHARE * (this.#burstNs / BURST));
    this.#interval = Math.min(LONGEST_INTERVAL, Math.max(1, Math.ceil(wanted)));
    this.#skip = BURST * (this.#interval - 1);
    this.#burst = 0;
    this.#burstNs = 0;
  }
}

/** The time to read the clock twice, which on some machines is a system call. The best batch is that of compiled code. */
function clockCostNs(): number {
  let bestNs = Number.POSITIVE_INFINITY;
  for (let batch = 0; batch < 10; batch++) {
    const startNs = process.hrtime.bigint();
    for (let pair = 1; pair < CLOCK_PAIRS; pair++) process.hrtime.bigint() - process.hrtime.bigint();
    bestNs = Math.min(bestNs, Number(process.hrtime.bigint() - startNs) / CLOCK_PAIRS);
  }
  return bestNs;
}
