import * as z from 'zod';
import { BYTE_MODES, FILE_KINDS } from '../../options/family.js';
import { UNITS } from '../amount.js';
import { WARNING_CODES } from '../warning-catalogue.js';
import { measurementSchema } from './measured.js';
import { AT_ONCE, atLeastOne, bytes, count, rate, seconds } from './quantities.js';

/** Something that the reader of a figure should know, and the way out. */
export const warningSchema = z.object({
  code: z.enum(WARNING_CODES),
  /** The phase whose figure it is about; null for all. */
  phase: z.string().nullable(),
  message: z.string(),
  hint: z.string(),
});

/** One figure over all complete runs. */
export const statisticsSchema = z.object({
  phase: z.string(),
  title: z.string(),
  figure: z.enum(['bytes', 'operations']),
  runs: atLeastOne,
  mean: rate,
  standardDeviation: rate.nullable(),
  /** In per cent it is a number, too. */
  coefficientOfVariation: rate.max(Number.MAX_VALUE / 100).nullable(),
  confidence95: z.object({ low: z.number(), high: z.number() }).nullable(),
  min: rate,
  max: rate,
});

/** What was done so that reads come from the device. */
export const cacheSchema = z.object({
  asked: z.enum(['auto', 'drop', 'evict', 'keep']),
  done: z.enum(['drop', 'evict', 'keep']),
  /** Why nothing was done although it was not forbidden. */
  reason: z.string().nullable(),
});

export const runSchema = z.object({
  startedAt: z.iso.datetime(AT_ONCE),
  /** A run that was stopped keeps the phases that it completed. */
  state: z.enum(['completed', 'incomplete']),
  measurements: z.array(measurementSchema),
});

export const outcomeSchema = z.discriminatedUnion('state', [
  /** Only in a file that was written while the run was under way. */
  z.object({ state: z.literal('running') }),
  z.object({ state: z.literal('completed') }),
  z.object({ state: z.literal('aborted'), reason: z.string() }),
  z.object({ state: z.literal('failed'), code: z.string(), message: z.string(), hint: z.string() }),
]);

/** What a figure was to be, and whether it is. */
export const expectationSchema = z.object({
  text: z.string(),
  unit: z.enum(UNITS),
  bound: z.number(),
  /** The mean of the runs. Null where it is not known. */
  actual: z.number().nullable(),
  isMet: z.boolean(),
});

/** The whole answer. Only ever extended within a major version. */
export const reportSchema = z.object({
  schema: z.literal('gobonnie/1'),
  version: z.string(),
  startedAt: z.iso.datetime(),
  /** What the user calls the machine; the host's name by default. */
  label: z.string(),
  options: z.object({
    threads: atLeastOne,
    /** As it was asked for; sizeBytes is that in whole blocks. */
    sizeGib: z.number().nonnegative(),
    sizeBytes: bytes,
    runs: atLeastOne,
    minimumSeconds: seconds,
    iopsDurationSeconds: seconds,
    blockSizeBytes: atLeastOne,
    /** As it was moved; where the device or the stamps need more than was asked for, so much. */
    ioSizeBytes: atLeastOne,
    seed: count,
    direct: z.boolean(),
    fsync: z.boolean(),
    oneFile: z.boolean(),
    unique: z.boolean(),
    verify: z.boolean(),
    compressiblePercent: z.number().min(0).max(100),
    untilStablePercent: z.number().positive().nullable(),
    maxRuns: atLeastOne,
    phases: z.array(z.string()),
    seeks: atLeastOne,
    /** Null where every thread seeks in its own data. */
    seekers: atLeastOne.nullable(),
    volumes: atLeastOne,
    /** What putc and getc move. */
    byteSizeBytes: bytes,
    byteMode: z.enum(BYTE_MODES),
    syncWrites: z.boolean(),
    /** What create, stat and delete deal with. */
    files: z.object({
      count: atLeastOne,
      kind: z.enum(FILE_KINDS),
      minBytes: bytes,
      maxBytes: bytes,
      /** What one call moves of them. */
      blockBytes: atLeastOne,
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
    /** Where the data lay; the scratch directory itself is gone. */
    scratchDirectory: z.string(),
    directory: z.string(),
    filesystem: z.string().nullable(),
    mount: z.string().nullable(),
    mountOptions: z.array(z.string()),
    device: z.string().nullable(),
    totalBytes: z.number().nonnegative(),
    availableBytes: z.number().nonnegative(),
    /** Whether the data stays in memory. */
    isMemory: z.boolean(),
    disk: z
      .object({
        name: z.string(),
        statName: z.string(),
        model: z.string().nullable(),
        rotational: z.boolean().nullable(),
        scheduler: z.string().nullable(),
        logicalBlockBytes: z.int().nullable(),
        physicalBlockBytes: z.int().nullable(),
        sizeBytes: z.number().nullable(),
        encryption: z.string().nullable(),
      })
      .nullable(),
    compression: z.string().nullable(),
    encryption: z.string().nullable(),
  }),
  cache: cacheSchema,
  runs: z.array(runSchema),
  /** Of every figure, over the complete runs. */
  statistics: z.array(statisticsSchema),
  warnings: z.array(warningSchema),
  outcome: outcomeSchema,
  /** Left out where nothing was expected, and where the run did not come to its end. */
  expectations: z.array(expectationSchema).optional(),
});

export type { Device, Latency, Measurement, Series } from './measured.js';
export type Warning = z.infer<typeof warningSchema>;
export type FigureStatistics = z.infer<typeof statisticsSchema>;
export type CacheRecord = z.infer<typeof cacheSchema>;
export type Run = z.infer<typeof runSchema>;
export type ExpectationVerdict = z.infer<typeof expectationSchema>;
export type Outcome = z.infer<typeof outcomeSchema>;
export type Report = z.infer<typeof reportSchema>;
