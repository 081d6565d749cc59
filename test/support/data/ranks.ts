import type { RankInfo } from '../../../src/hosts/rank-info.js';
import { summarizeLatency } from '../../../src/report/measure/latency-summary.js';
import type { Measurement } from '../../../src/report/schema/report.js';
import {
  BUCKET_COUNT,
  bucketFloorNs,
  bucketIndex,
  type LatencyTally,
} from '../../../workers/latency-recorder.js';
import { getPhase } from '../../../workers/phases/phase-catalogue.js';
import type { SeededRandom } from './seeded-random.js';

/** Simulated properties of a default phase. */
export interface PhaseKind {
  readonly phase: string;
  readonly reads: number;
  readonly ioBytes: number;
  /** The shortest and the longest operation. */
  readonly latencyNs: readonly [min: number, max: number];
}

/** Random operations have the widest histogram, because the page cache serves some of them. */
export const PHASES: readonly PhaseKind[] = [
  { phase: 'write', reads: 0, ioBytes: 65_536, latencyNs: [20_000, 16e6] },
  { phase: 'read', reads: 1, ioBytes: 65_536, latencyNs: [20_000, 16e6] },
  { phase: 'iops', reads: 0.9, ioBytes: 512, latencyNs: [500, 16e6] },
];

/** Ten samples per second for a minute. */
const SAMPLES = 600;
const OPERATIONS = 300_000;

/** Returns the info of a rank, with eight ranks per host. */
export function rankFacts(rank: number): RankInfo {
  const host = Math.floor(rank / 8);
  return {
    version: '1.0.0',
    host: `node${String(host).padStart(4, '0')}.cluster.example`,
    boot: `b00t-${host}`,
    cores: 64,
    memoryBytes: 256e9,
    filesystemBytes: 1e15,
    options: { size: 1, threads: 8, runs: 3, seed: null, cache: 'auto' },
  };
}

/** Returns a complete measurement of a rank for a phase of one minute. */
export function rankMeasurement(kind: PhaseKind, random: SeededRandom): Measurement {
  const { reads, ioBytes, phase: step } = kind;
  const { title, primaryRate } = getPhase(step);
  const operations = random.upTo(OPERATIONS) + OPERATIONS;
  const seconds = roundToNanoseconds(random.between(55, 60));
  const bytes = operations * ioBytes;
  const readBytes = Math.round(operations * reads) * ioBytes;
  const cpuSeconds = { userSeconds: random.between(1, 9), systemSeconds: random.between(1, 9) };
  const writtenBytes = bytes - readBytes;
  const progress = simulateProgress(random);
  return {
    step,
    phase: step,
    title,
    primaryRate,
    threads: 8,
    bytes,
    readBytes,
    writtenBytes,
    operations,
    seconds,
    bytesPerSecond: bytes / seconds,
    operationsPerSecond: operations / seconds,
    direct: false,
    device: { readBytes, writtenBytes, dirtyBytes: 0, share: random.between(0.5, 1), reason: null },
    otherIo: { readBytes: random.upTo(1e9), writtenBytes: random.upTo(1e9) },
    cpu: {
      ...cpuSeconds,
      percent: random.between(1, 800),
      microsecondsPerOperation: random.between(1, 100),
    },
    hostCpu: { busyShare: random.between(0.1, 1), stealShare: random.between(0.001, 0.1) },
    latencyNs: summarizeLatency([simulateHistogram(kind.latencyNs, operations, random)]),
    cliff: null,
    series: {
      seconds: progress.map((_, index) => roundToNanoseconds((seconds * (index + 1)) / SAMPLES)),
      operations: progress.map((share) => Math.round(share * operations)),
      bytes: progress.map((share) => Math.round(share * operations) * ioBytes),
      latencyNs: {
        p50: progress.map(() => 900),
        p99: progress.map(() => 4672),
        max: progress.map(() => 4e6),
      },
    },
  };
}

/** Rounds to the clock's resolution. */
function roundToNanoseconds(seconds: number): number {
  return Math.round(seconds * 1e9) / 1e9;
}

/** Returns shares that rise from above 0 to 1 in unequal steps. */
function simulateProgress(random: SeededRandom): readonly number[] {
  let done = 0;
  const amounts = Array.from({ length: SAMPLES }, () => {
    done += random.between(0.3, 3);
    return done;
  });
  return amounts.map((amount) => amount / done);
}

/** Returns a histogram without empty buckets, so it is longer than that of a real phase. */
function simulateHistogram(
  [minNs, maxNs]: PhaseKind['latencyNs'],
  operations: number,
  random: SeededRandom,
): LatencyTally {
  const counts = new Float64Array(BUCKET_COUNT);
  const first = bucketIndex(minNs);
  const last = bucketIndex(maxNs);
  let samples = 0;
  let totalNs = 0;
  for (let bucket = first; bucket <= last; bucket++) {
    const count = 1 + random.upTo((2 * operations) / (last - first));
    counts[bucket] = count;
    samples += count;
    totalNs += count * bucketFloorNs(bucket);
  }
  return { samples, minNs, maxNs, totalNs, counts };
}
