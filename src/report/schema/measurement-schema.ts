import * as z from 'zod';
import { ABORT_EARLY, bytes, count, nanoseconds, positiveInteger, rate, seconds } from './quantities.js';

/** The part of the moved data that the device served, as the kernel counts it for this process. */
export const deviceSchema = z.object({
  readBytes: bytes.nullable(),
  /** Pages count as written when they become dirty. */
  writtenBytes: bytes.nullable(),
  /** The part that was still in the page cache when the clock stopped. */
  dirtyBytes: bytes.nullable(),
  /** From 0 to 1; null if unknown. */
  share: z.number().min(0, ABORT_EARLY).max(1, ABORT_EARLY).nullable(),
  /** The reason why the share is unknown. */
  reason: z.string().nullable(),
});

/** Latencies in ns. If not every operation was recorded, each sample also counts for its neighbours. */
export const latencySchema = z.object({
  samples: positiveInteger,
  min: nanoseconds,
  mean: nanoseconds,
  p50: nanoseconds,
  p90: nanoseconds,
  /** Reports of earlier versions lack it. */
  p95: nanoseconds.optional(),
  p99: nanoseconds,
  p999: nanoseconds,
  p9999: nanoseconds,
  max: nanoseconds,
  /** Number of operations that took at least `from` and less than `below`. Empty buckets are omitted. */
  buckets: z.array(z.object({ from: count, below: count, count: z.number().nonnegative(ABORT_EARLY) })),
});

/** The progress of all threads together: about ten samples a second, fewer in phases of more than ten minutes. */
export const seriesSchema = z.object({
  seconds: z.array(seconds),
  operations: z.array(rate),
  bytes: z.array(rate),
  /** Of the operations that ended since the sample before; null if there are none. Reports of earlier versions lack it. */
  latencyNs: z
    .object({
      p50: z.array(nanoseconds.nullable()),
      p99: z.array(nanoseconds.nullable()),
      max: z.array(nanoseconds.nullable()),
    })
    .optional(),
});

/** The part that one process of a job had in a phase. */
export const rankResultSchema = z.object({
  rank: count,
  host: z.string(),
  threads: positiveInteger,
  bytes,
  operations: count,
  /** How much later than the first of all it began, and how far that can be off: the clocks of hosts differ. */
  startOffsetSeconds: seconds,
  startOffsetErrorSeconds: seconds,
  seconds,
  bytesPerSecond: rate,
  operationsPerSecond: rate,
  durableSeconds: seconds.nullable(),
  deviceShare: deviceSchema.shape.share,
  cpuPercent: z.number().nonnegative(ABORT_EARLY),
  latencyNs: z.object({ p50: nanoseconds, p99: nanoseconds, max: nanoseconds }).nullable(),
});

/** One phase of one run: what all workers did, from the start of the first to the end of the last. */
export const measurementSchema = z.object({
  phase: z.string(),
  title: z.string(),
  /** The rate, of the two, that is the result. */
  primaryRate: z.enum(['bytes', 'operations']),
  threads: positiveInteger,
  bytes,
  readBytes: bytes,
  writtenBytes: bytes,
  operations: count,
  seconds,
  bytesPerSecond: rate,
  operationsPerSecond: rate,
  /** Until all data was on the device rather than in the page cache. */
  durable: z.object({ seconds, bytesPerSecond: rate }).nullable(),
  device: deviceSchema,
  /** What the device did for other programs at that time. */
  otherIo: z.object({ readBytes: bytes, writtenBytes: bytes }).nullable(),
  cpu: z.object({
    userSeconds: seconds,
    systemSeconds: seconds,
    /** Percent of the elapsed time: 200 means two fully used CPUs. */
    percent: z.number().nonnegative(ABORT_EARLY),
    microsecondsPerOperation: z.number().nonnegative(ABORT_EARLY).nullable(),
  }),
  /** The share of time that the host's processors worked, and that the hypervisor gave to others. */
  hostCpu: z.object({ busyShare: z.number(), stealShare: z.number() }).nullable(),
  latencyNs: latencySchema.nullable(),
  /** The time when the rate fell and remained low. */
  cliff: z.object({ atSeconds: seconds, beforePerSecond: rate, afterPerSecond: rate }).nullable(),
  series: seriesSchema,
  /** For how long gobonnie itself was suspended in that time. Left out if it was not. */
  suspendedSeconds: seconds.optional(),
  /** The work done when --stonewall stopped the phase. Omitted if it was not stopped. */
  stonewall: z
    .object({
      seconds,
      bytes,
      operations: count,
      bytesPerSecond: rate,
      operationsPerSecond: rate,
      /** Whether all threads then caught up with the furthest. */
      isEven: z.boolean(),
      /** How many blocks or files the slowest thread did in the end: later phases use so many of each. */
      leastSteps: count,
    })
    .optional(),
  /** Of a job of several processes: while all of them were working. */
  firstDone: z.object({ seconds, bytesPerSecond: rate, operationsPerSecond: rate }).optional(),
  /** From when the last process of a job had come to the start until all had gone on, as far as their clocks tell. */
  barrierSeconds: seconds.optional(),
  /** Each process's part of a job of several processes. */
  ranks: z.array(rankResultSchema).optional(),
});

export type Measurement = z.infer<typeof measurementSchema>;
export type DeviceIo = z.infer<typeof deviceSchema>;
export type Latency = z.infer<typeof latencySchema>;
export type RankResult = z.infer<typeof rankResultSchema>;
export type TimeSeries = z.infer<typeof seriesSchema>;
