import * as z from 'zod';

export const count = z.int().nonnegative();
export const positiveInteger = z.int().positive();
export const bytes = count;
export const seconds = z.number().nonnegative();
const nanoseconds = z.number().nonnegative();
/** Statistics of larger rates could overflow. */
const MAX_RATE = 1e24;
export const rate = z.number().nonnegative().max(MAX_RATE);

const rates = { bytesPerSecond: rate, operationsPerSecond: rate };
/** Percentiles of operations, where the buckets are not kept. */
export const latencyRangeSchema = z.object({ p50: nanoseconds, p99: nanoseconds, max: nanoseconds });

/** The kernel's counts of this process's device I/O. */
const deviceSchema = z.object({
  readBytes: bytes.nullable(),
  /** Includes dirty pages: the kernel counts a page when it becomes dirty. */
  writtenBytes: bytes.nullable(),
  /** Bytes that were still in the page cache when the clock stopped. */
  dirtyBytes: bytes.nullable(),
  /** The share of the moved data that the device served, from 0 to 1. Null if unknown. */
  share: z.number().min(0).max(1).nullable(),
  /** Why the share is unknown. Null if it is known. */
  reason: z.string().nullable(),
});

/** Latencies in ns. If only some operations were recorded, each sample also counts for its neighbours. */
const latencySchema = z.object({
  samples: positiveInteger,
  min: nanoseconds,
  mean: nanoseconds,
  p50: nanoseconds,
  p90: nanoseconds,
  p95: nanoseconds,
  p99: nanoseconds,
  p999: nanoseconds,
  p9999: nanoseconds,
  max: nanoseconds,
  /** Number of operations that took at least `from` and less than `below`. Empty buckets are omitted. */
  buckets: z.array(z.object({ from: count, below: count, count: z.number().nonnegative() })),
});

/** The reads or the writes of a random phase that does both. */
const mixPartSchema = z.object({ bytes, operations: count, ...rates, latencyNs: latencySchema.nullable() });

/** The progress of all threads together: about ten samples a second, fewer in phases of more than ten minutes. */
const seriesSchema = z.object({
  seconds: z.array(seconds),
  operations: z.array(rate),
  bytes: z.array(rate),
  /** Latencies of the operations since the previous sample; null without operations. Omitted for single bytes, for writes into the page cache, and by jobs. */
  latencyNs: z
    .object({
      p50: z.array(nanoseconds.nullable()),
      p99: z.array(nanoseconds.nullable()),
      max: z.array(nanoseconds.nullable()),
    })
    .optional(),
});

/** An operation of a step with pauses, and how long the whole machine paused meanwhile, by a timer beside it. */
export const timedOperationSchema = z.object({
  /** When it started. */
  time: z.iso.datetime(),
  latencyNs: nanoseconds,
  pausedNs: nanoseconds,
});

export const rankResultSchema = z.object({
  rank: count,
  host: z.string(),
  threads: positiveInteger,
  bytes,
  operations: count,
  /** Start after the first rank, and the maximum error of this time, because the hosts' clocks differ. */
  startOffsetSeconds: seconds,
  startOffsetErrorSeconds: seconds,
  seconds,
  ...rates,
  deviceShare: deviceSchema.shape.share,
  cpuPercent: z.number().nonnegative(),
  latencyNs: latencyRangeSchema.nullable(),
});

/** One step of one run: the work of all workers, from the start of the first to the end of the last. */
export const measurementSchema = z.object({
  /** The name of the step, which is unique in a run. */
  step: z.string(),
  /** The kind of work. Several steps may do the same work with other parameters. */
  phase: z.string(),
  title: z.string(),
  /** Selects the rate that is the result. */
  primaryRate: z.enum(['bytes', 'operations']),
  threads: positiveInteger,
  bytes,
  readBytes: bytes,
  writtenBytes: bytes,
  operations: count,
  seconds,
  /** Beside another step, the rates are those from the start of that one, half a second later. */
  ...rates,
  /** True if the I/O bypassed the page cache. */
  direct: z.boolean(),
  device: deviceSchema,
  /** The first result of a step that was measured again with direct I/O, because the page cache served part of it. */
  cached: z.object({ seconds, ...rates, deviceShare: deviceSchema.shape.share }).optional(),
  /** Other programs' I/O on the device during the phase. */
  otherIo: z.object({ readBytes: bytes, writtenBytes: bytes }).nullable(),
  /** The CPU time of the whole process, so it includes all steps that ran at the same time. */
  cpu: z.object({
    userSeconds: seconds,
    systemSeconds: seconds,
    /** Percent of the elapsed time: 200 means two fully used CPUs. */
    percent: z.number().nonnegative(),
    /** Null without operations, and beside another step. */
    microsecondsPerOperation: z.number().nonnegative().nullable(),
  }),
  /** The share of time that the host's CPUs were busy, and the share that the hypervisor stole. */
  hostCpu: z.object({ busyShare: z.number(), stealShare: z.number() }).nullable(),
  /** Null without operations, for single bytes, and for writes that return as soon as the page cache has their data. */
  latencyNs: latencySchema.nullable(),
  /** The latencies of such writes, which only show the cost of a copy. */
  copyLatencyNs: latencySchema.nullable().optional(),
  /** The latencies of the writes alone and of the syncs alone. Omitted unless the operations of the step make both. */
  syncedWrites: z.object({ writeLatencyNs: latencySchema, syncLatencyNs: latencySchema }).optional(),
  /** The random operations that read, and those that write. Omitted if all of them are of one kind. */
  reads: mixPartSchema.optional(),
  writes: mixPartSchema.optional(),
  /** The time when the rate fell and remained low. */
  cliff: z.object({ atSeconds: seconds, beforePerSecond: rate, afterPerSecond: rate }).nullable(),
  series: seriesSchema,
  /** The slowest operations of a step with pauses: 20 at most, the slowest first. */
  slowest: z.array(timedOperationSchema).optional(),
  /** How long gobonnie itself was suspended during the phase. Omitted if it was not suspended. */
  suspendedSeconds: seconds.optional(),
  /** Result of a job while all ranks were busy. */
  firstDone: z.object({ seconds, ...rates }).optional(),
  /** Estimated time from the last rank's arrival at the barrier before the phase until all ranks had left it. */
  barrierSeconds: seconds.optional(),
  ranks: z.array(rankResultSchema).optional(),
});

export interface Measurement extends z.infer<typeof measurementSchema> {}
export interface DeviceIo extends z.infer<typeof deviceSchema> {}
export interface Latency extends z.infer<typeof latencySchema> {}
export interface RankResult extends z.infer<typeof rankResultSchema> {}
export interface TimedOperation extends z.infer<typeof timedOperationSchema> {}
export interface TimeSeries extends z.infer<typeof seriesSchema> {}
