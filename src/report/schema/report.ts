import * as z from 'zod';
import { BYTE_MODES, FILE_KINDS } from '../../options/bonnie-options.js';
import { METRIC_UNITS } from '../amount.js';
import { WARNING_CODES } from '../warning-catalogue.js';
import { jobSchema } from './job-schema.js';
import { measurementSchema } from './measurement-schema.js';
import { ABORT_EARLY, bytes, count, positiveInteger, rate, seconds } from './quantities.js';

/** A fact that affects how to read a result, and the action to take. */
export const warningSchema = z.object({
  code: z.enum(WARNING_CODES),
  /** The phase whose result it affects; null for all phases. */
  phase: z.string().nullable(),
  message: z.string(),
  hint: z.string(),
  /** Of a job of several processes, if it is about these hosts only; the message names them, too. */
  hosts: z.array(z.string()).optional(),
});

/** One result over all complete runs. */
export const statisticsSchema = z.object({
  phase: z.string(),
  title: z.string(),
  primaryRate: z.enum(['bytes', 'operations']),
  runs: positiveInteger,
  mean: rate,
  /** The sample deviation, over n - 1. Null for a single run, like the coefficient and the interval. */
  standardDeviation: rate.nullable(),
  /** The deviation as a fraction of the mean, small enough to be finite in percent. */
  coefficientOfVariation: rate.max(Number.MAX_VALUE / 100).nullable(),
  /** Of the mean: Student's t, two-sided. */
  confidence95: z.object({ low: z.number(), high: z.number() }).nullable(),
  min: rate,
  max: rate,
});

/** How --cache was carried out, so that reads come from the device. */
export const cacheSchema = z.object({
  requested: z.enum(['auto', 'drop', 'evict', 'keep']),
  applied: z.enum(['drop', 'evict', 'keep']),
  /** Why the cache was kept although the options allowed emptying it. */
  reason: z.string().nullable(),
});

export const runSchema = z.object({
  startedAt: z.iso.datetime(ABORT_EARLY),
  /** A run that was stopped keeps the phases that it completed. */
  state: z.enum(['completed', 'incomplete']),
  measurements: z.array(measurementSchema),
});

export const outcomeSchema = z.discriminatedUnion('state', [
  /** Only in a file that was written during the run. */
  z.object({ state: z.literal('running') }),
  z.object({ state: z.literal('completed') }),
  z.object({ state: z.literal('aborted'), reason: z.string() }),
  z.object({ state: z.literal('failed'), code: z.string(), message: z.string(), hint: z.string() }),
]);

/** A condition on a result, and whether it was met. */
export const expectationSchema = z.object({
  condition: z.string(),
  unit: z.enum(METRIC_UNITS),
  bound: z.number(),
  /** The mean of the runs. Null if unknown. */
  actual: z.number().nullable(),
  passed: z.boolean(),
  /** The reason and the remedy if the page cache served a part. In this case `actual` is the timed rate. */
  inconclusive: z.object({ reason: z.string(), hint: z.string() }).optional(),
});

/**
 * The rates of reads and IOPS if memory serves them: the same loops on data that is in the page cache because it was
 * just read. Each is null if its phase was not measured, or syncs what it writes.
 */
export const memoryCeilingSchema = z.object({
  bytesPerSecond: rate.nullable(),
  operationsPerSecond: rate.nullable(),
});

/** The whole result. Only ever extended within a major version. */
export const reportSchema = z.object({
  schema: z.literal('gobonnie/1'),
  version: z.string(),
  startedAt: z.iso.datetime(),
  /** The user's name for the machine; the host's name by default. */
  label: z.string(),
  options: z.object({
    threads: positiveInteger,
    /** As requested; sizeBytes is the same in whole blocks. */
    sizeGib: z.number().nonnegative(),
    sizeBytes: bytes,
    runs: positiveInteger,
    minimumSeconds: seconds,
    iopsDurationSeconds: seconds,
    blockSizeBytes: positiveInteger,
    /** As it was moved: larger than requested if the device or the stamps need that. */
    ioSizeBytes: positiveInteger,
    seed: count,
    direct: z.boolean(),
    fsync: z.boolean(),
    oneFile: z.boolean(),
    /** Absent in older reports. */
    sharedFile: z.boolean().optional(),
    sharedDir: z.boolean().optional(),
    readOwnFiles: z.boolean().optional(),
    stonewallSeconds: seconds.nullable().optional(),
    unique: z.boolean(),
    verify: z.boolean(),
    compressiblePercent: z.number().min(0).max(100),
    untilStablePercent: z.number().positive().nullable(),
    maxRuns: positiveInteger,
    phases: z.array(z.string()),
    seeks: positiveInteger,
    /** Null if every thread seeks in its own data. */
    seekThreads: positiveInteger.nullable(),
    dataFilesPerThread: positiveInteger,
    /** How much putc and getc move. */
    perByteBytes: bytes,
    byteMode: z.enum(BYTE_MODES),
    fsyncPerWrite: z.boolean(),
    /** The files that create, stat and delete work on. */
    files: z.object({
      count: positiveInteger,
      kind: z.enum(FILE_KINDS),
      minBytes: bytes,
      maxBytes: bytes,
      /** How much one call moves. */
      blockBytes: positiveInteger,
      directories: count,
    }),
  }),
  machine: z.object({
    platform: z.string(),
    os: z.string(),
    arch: z.string(),
    nodeVersion: z.string(),
    cpuModel: z.string(),
    cores: count,
    memoryBytes: bytes,
    memoryLimitBytes: bytes,
    pageBytes: bytes,
    limits: z.object({
      openFiles: z.int().nullable(),
      fileSizeBytes: z.int().nullable(),
      addressSpaceBytes: z.int().nullable(),
      processes: z.int().nullable(),
    }),
  }),
  target: z.object({
    /** Where the data was; it is removed after the run. */
    scratchDirectory: z.string(),
    directory: z.string(),
    filesystem: z.string().nullable(),
    mount: z.string().nullable(),
    mountOptions: z.array(z.string()),
    device: z.string().nullable(),
    totalBytes: z.number().nonnegative(),
    availableBytes: z.number().nonnegative(),
    /** True if the data remains in RAM. */
    isMemory: z.boolean(),
    disk: z
      .object({
        name: z.string(),
        diskstatsName: z.string(),
        model: z.string().nullable(),
        rotational: z.boolean().nullable(),
        scheduler: z.string().nullable(),
        logicalBlockBytes: z.int().nullable(),
        physicalBlockBytes: z.int().nullable(),
        sizeBytes: z.number().nullable(),
        encryption: z.string().nullable(),
      })
      .nullable(),
    /** Why the device may answer from memory although the kernel counts what it was asked for. */
    lowerCache: z.object({ reason: z.string(), loopDevice: z.string().nullable() }).nullish(),
    compression: z.string().nullable(),
    encryption: z.string().nullable(),
  }),
  cache: cacheSchema,
  runs: z.array(runSchema),
  statistics: z.array(statisticsSchema),
  warnings: z.array(warningSchema),
  /** Null if it is unknown, such as with --direct. Left out before the end of the first run, and by older versions. */
  memoryCeiling: memoryCeilingSchema.nullable().optional(),
  outcome: outcomeSchema,
  /** Left out of a run of one process. */
  job: jobSchema.optional(),
  /** Left out if there were no conditions, or the run did not complete. */
  expectations: z.array(expectationSchema).optional(),
});

export type { DeviceIo, Latency, Measurement, TimeSeries } from './measurement-schema.js';
export type Warning = z.infer<typeof warningSchema>;
export type RateStatistics = z.infer<typeof statisticsSchema>;
export type CacheHandling = z.infer<typeof cacheSchema>;
export type Run = z.infer<typeof runSchema>;
export type ExpectationResult = z.infer<typeof expectationSchema>;
export type MemoryCeiling = z.infer<typeof memoryCeilingSchema>;
export type Outcome = z.infer<typeof outcomeSchema>;
export type Report = z.infer<typeof reportSchema>;
