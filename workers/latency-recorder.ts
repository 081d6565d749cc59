/** Durations of the operations. A recorded operation also represents the operations skipped after it. */
export interface LatencyTally {
  readonly samples: number;
  readonly minNs: number;
  readonly maxNs: number;
  /** Total time of all operations that the recorded operations represent. */
  readonly totalNs: number;
  /** Number of represented operations in each bucket: see `bucketIndex`. */
  readonly counts: Float64Array;
}

/** Buckets are exact up to 32 ns, then 32 per doubling: no bucket is wider than 3.2 % of its values. */
const STEPS_PER_DOUBLING = 32;
const STEP_BITS = 5;
/** Up to 2^53 ns, a hundred days. */
export const BUCKET_COUNT = STEPS_PER_DOUBLING * (53 - STEP_BITS + 1);
const TWO_TO_31 = 2 ** 31;

export function bucketIndex(ns: number): number {
  if (ns < STEPS_PER_DOUBLING) return ns;
  if (ns < TWO_TO_31) {
    const doublings = 31 - Math.clz32(ns) - STEP_BITS;
    return STEPS_PER_DOUBLING * doublings + (ns >>> doublings);
  }
  const doublings = Math.floor(Math.log2(ns)) - STEP_BITS;
  return Math.min(BUCKET_COUNT - 1, STEPS_PER_DOUBLING * doublings + Math.floor(ns / 2 ** doublings));
}

export function bucketFloorNs(bucket: number): number {
  if (bucket < 2 * STEPS_PER_DOUBLING) return bucket;
  const doublings = Math.floor(bucket / STEPS_PER_DOUBLING) - 1;
  return ((bucket % STEPS_PER_DOUBLING) + STEPS_PER_DOUBLING) * 2 ** doublings;
}

const NS_PER_SECOND = 1_000_000_000;
/** The global `process` is a getter, and calling it takes half as long as reading the clock. */
const thisProcess = process;

/** Exact for 104 days after the start of the system. Runs less code than `hrtime.bigint`: after a wait, caches are cold. */
export function readClockNs(): number {
  const time = thisProcess.hrtime();
  return time[0] * NS_PER_SECOND + time[1];
}

const SKIPPED = -1;
/** Maximum share of the time for recording. */
const MAX_TIME_SHARE = 0.04;
/**
 * Between system calls the clock takes several times longer than in a tight loop: copied data has displaced its code
 * and data from the CPU's caches.
 */
const COLD_CACHE_FACTOR = 10;
/** Operations per recorded burst, enough to include all kinds: seeks writes in one operation of ten. */
const BURST_OPERATIONS = 40;
/** The recorder records at least one burst in this many. */
const MAX_INTERVAL = 16;
const CLOCK_PAIRS = 500;

/**
 * Records how long operations take: every operation, or one burst in several if operations are so short that reading
 * the clock would affect the result.
 */
export class LatencyRecorder {
  /** The time of two clock reads. */
  readonly clockCostNs: number;
  readonly #counts: Float64Array;
  #samples = 0;
  #minNs = Number.POSITIVE_INFINITY;
  #maxNs = 0;
  /** A double from the start: otherwise Node compiles the loops again when the sum exceeds 31 bits. */
  readonly #totalNs = new Float64Array(1);
  /** Number of operations that a recorded operation represents. */
  #interval = 1;
  #skip = 0;
  #burst = 0;
  #burstNs = 0;

  /** Clears the counts, which the main thread may read. */
  constructor(counts: Float64Array = new Float64Array(BUCKET_COUNT), clockCostNs = measureClockCost()) {
    this.#counts = counts.fill(0);
    this.clockCostNs = clockCostNs;
  }

  /** Returns the time, or SKIPPED for an operation that is not recorded. */
  begin(): number {
    if (this.#skip === 0) return readClockNs();
    this.#skip -= 1;
    return SKIPPED;
  }

  /** Reads the clock unless the caller has read it. */
  end(startNs: number, endNs?: number): void {
    if (startNs === SKIPPED) return;
    const ns = (endNs ?? readClockNs()) - startNs;
    const bucket = bucketIndex(ns);
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + this.#interval;
    this.#totalNs[0] = (this.#totalNs[0] ?? 0) + ns * this.#interval;
    if (ns < this.#minNs) this.#minNs = ns;
    if (ns > this.#maxNs) this.#maxNs = ns;
    this.#samples += 1;
    this.#burst += 1;
    this.#burstNs += ns;
    if (this.#burst === BURST_OPERATIONS) this.#adapt();
  }

  tally(): LatencyTally {
    return {
      samples: this.#samples,
      minNs: this.#samples > 0 ? this.#minNs : 0,
      maxNs: this.#maxNs,
      totalNs: this.#totalNs[0] ?? 0,
      // A copy, because the next phase clears the counts.
      counts: this.#counts.slice(),
    };
  }

  /** Adapts the interval to the last burst, because durations change: 1 µs from the page cache, 10 ms from a disk. */
  #adapt(): void {
    const costNs = COLD_CACHE_FACTOR * this.clockCostNs;
    const interval = costNs / (MAX_TIME_SHARE * (this.#burstNs / BURST_OPERATIONS));
    this.#interval = Math.min(MAX_INTERVAL, Math.max(1, Math.ceil(interval)));
    this.#skip = BURST_OPERATIONS * (this.#interval - 1);
    this.#burst = 0;
    this.#burstNs = 0;
  }
}

/** Returns the time of two clock reads, each a system call on some machines. The best batch ran as compiled code. */
function measureClockCost(): number {
  let bestNs = Number.POSITIVE_INFINITY;
  for (let batch = 0; batch < 10; batch++) {
    const startNs = readClockNs();
    for (let pair = 1; pair < CLOCK_PAIRS; pair++) readClockNs() - readClockNs();
    bestNs = Math.min(bestNs, (readClockNs() - startNs) / CLOCK_PAIRS);
  }
  return bestNs;
}
