import * as z from 'zod';
import { hostSchema, targetSchema } from '../../machine/machine-schema.js';
import { FILE_KINDS } from '../../options/option-catalogue.js';
import { STEP_PHASES, SYNC_METHODS } from '../../options/options-schema.js';
import { METRIC_UNITS } from '../amount.js';
import {
  bytes,
  count,
  type Measurement,
  measurementSchema,
  positiveInteger,
  rankResultSchema,
  rate,
  seconds,
} from './measurement-schema.js';

/** A fact that affects how to read a result, and the action to take. */
export const warningSchema = z.object({
  /** Any text, because a later version may have more warnings. */
  code: z.string(),
  /** The phase whose result it affects; null for all phases. */
  step: z.string().nullable(),
  message: z.string(),
  hint: z.string(),
  /** The hosts of a job that the warning is about, if not all hosts; the message also names them. */
  hosts: z.array(z.string()).optional(),
});

const namedStep = measurementSchema.pick({ step: true, title: true, primaryRate: true }).shape;

const statisticsSchema = z.object({
  ...namedStep,
  runs: positiveInteger,
  mean: rate,
  /** The sample standard deviation (n - 1). Null for a single run, like the coefficient. */
  standardDeviation: rate.nullable(),
  /** The deviation as a fraction of the arithmetic mean, limited to stay finite in percent. */
  coefficientOfVariation: rate.max(Number.MAX_VALUE / 100).nullable(),
  /** Confidence interval of the mean, by Student's t, two-sided. Null for fewer than three runs. */
  confidence95: z.object({ low: z.number(), high: z.number() }).nullable(),
  min: rate,
  max: rate,
});

/** How the page cache was handled to make reads come from the device. */
const cacheSchema = z.object({
  requested: z.enum(['auto', 'drop', 'evict', 'keep']),
  applied: z.enum(['drop', 'evict', 'keep']),
  /** Why the page cache was kept although the options allowed dropping it. */
  reason: z.string().nullable(),
});

const runSchema = z.object({
  startedAt: z.iso.datetime(),
  /** A stopped run keeps its completed phases. */
  state: z.enum(['completed', 'incomplete']),
  measurements: z.array(measurementSchema),
});

const outcomeSchema = z.discriminatedUnion('state', [
  /** Only in a file written during the run. */
  z.object({ state: z.literal('running') }),
  z.object({ state: z.literal('completed') }),
  z.object({ state: z.literal('aborted'), reason: z.string() }),
  z.object({ state: z.literal('failed'), code: z.string(), message: z.string(), hint: z.string() }),
]);

const expectationSchema = z.object({
  condition: z.string(),
  unit: z.enum(METRIC_UNITS),
  bound: z.number(),
  /** The mean of the runs. Null if unknown. */
  actual: z.number().nullable(),
  passed: z.boolean(),
  /** The worst result of these runs, if it misses a condition that the mean meets. */
  worst: z.object({ actual: z.number(), runs: positiveInteger }).optional(),
  /** The reason and the remedy if the disk's result is unknown; `actual` is then the timed result. */
  inconclusive: z.object({ reason: z.string(), hint: z.string() }).optional(),
});

/**
 * The main rates of the steps that read, on cached data: the same loops on data that was just read into the page cache.
 * Without the steps that sync each write, and without those whose attempts were all disturbed.
 */
const memoryCeilingSchema = z.array(z.object({ step: z.string(), perSecond: rate }));

const layoutSchema = z.object({ bytes, seconds });

/** A job of several processes. The results combine all ranks. */
const jobSchema = z.object({
  ranks: positiveInteger,
  hosts: z.array(
    z.object({ name: z.string(), ranks: positiveInteger, cores: positiveInteger, memoryBytes: bytes }),
  ),
  /** Why each rank reads its own files; `next-host` if it does not. Omitted before the first step. */
  readSource: z.enum(['next-host', 'own-single-host', 'own-requested', 'own-not-shared']).optional(),
  /** The phase in which a rank failed, with the work of the other ranks. It has no result. */
  failedStep: z.object({ ...namedStep, ranks: z.array(rankResultSchema) }).optional(),
});

/** The same steps in another directory, by default in memory, to tell the disk's part of the time from the CPU's. */
const referenceSchema = z.object({
  directory: z.string(),
  filesystem: z.string().nullable(),
  steps: z.array(
    z.object({
      step: z.string(),
      seconds,
      /** The main rate of the step. */
      perSecond: rate,
      /** The mean time of a system call. Null for steps of several threads. */
      microsecondsPerCall: z.number().nonnegative().nullable(),
    }),
  ),
});

/** A step of `steps` with all its parameters, in the order of the request. */
const reportedStepSchema = z.object({
  name: z.string(),
  /** The step beside which it runs, from before its start until after its end. Omitted for other steps. */
  beside: z.string().optional(),
  phase: z.enum(STEP_PHASES),
  threads: positiveInteger,
  engine: z.string(),
  /** Number of requests in flight per thread. */
  depth: positiveInteger,
  /** The size of one read or write: of a random operation or of a block. */
  ioBytes: positiveInteger,
  /** The share of the operations that read. */
  mixPercent: z.number().min(0).max(100),
  direct: z.boolean(),
  fsync: z.boolean(),
  syncPerWrite: z.enum(SYNC_METHODS).nullable(),
  /** The files or directories that a first read samples. Omitted for other steps. */
  paths: z.array(z.string()).optional(),
  /** The time from the start of an operation to the start of the next operation of its thread. Omitted without pauses. */
  intervalSeconds: seconds.optional(),
  /** The time without I/O before the step. Omitted without a pause. */
  pauseSeconds: seconds.optional(),
  /** The duration of a random step, the time limit of another step. Null without a limit. */
  seconds: seconds.nullable(),
  /** The maximum amount of data. Null for all data, or for no limit in a random step. */
  maxBytes: bytes.nullable(),
});

/** A command, and the options on its command line that may change a result. */
const commandSchema = z.object({
  name: z.string(),
  options: z.record(z.string(), z.union([z.string(), z.boolean()])),
});

/** The whole result. A major version only ever adds fields. */
export const reportSchema = z.object({
  schema: z.literal('gobonnie/1'),
  version: z.string(),
  startedAt: z.iso.datetime(),
  /** The command that chose the steps, such as `sweep`. Omitted if the options chose them. */
  command: commandSchema.optional(),
  /** The user's name for the machine; by default its host name. */
  label: z.string(),
  options: z.object({
    threads: positiveInteger,
    engine: z.string(),
    depth: positiveInteger,
    /** The requested size; sizeBytes is rounded to whole blocks. */
    sizeGib: z.number().nonnegative(),
    sizeBytes: bytes,
    runs: positiveInteger,
    minimumSeconds: seconds,
    iopsDurationSeconds: seconds,
    blockSizeBytes: positiveInteger,
    /** The I/O size in use: larger than requested if the device or the stamps require it. */
    ioSizeBytes: positiveInteger,
    /** The share of random operations that read. */
    mixPercent: z.number().min(0).max(100),
    seed: count,
    direct: z.boolean(),
    fsync: z.boolean(),
    oneFile: z.boolean(),
    sharedFile: z.boolean(),
    sharedDir: z.boolean(),
    readOwnFiles: z.boolean(),
    stonewallSeconds: seconds.nullable(),
    unique: z.boolean(),
    verify: z.boolean(),
    compressiblePercent: z.number().min(0).max(100),
    untilStablePercent: z.number().positive().nullable(),
    maxRuns: positiveInteger,
    /** Empty with `steps`. */
    phases: z.array(z.string()),
    /** The steps of --step or of a command such as `quick`, complete. */
    steps: z.array(reportedStepSchema).optional(),
    seeks: positiveInteger,
    /** Null if each thread seeks in its own data. */
    seekThreads: positiveInteger.nullable(),
    dataFilesPerThread: positiveInteger,
    /** Bytes that putc and getc move. */
    perByteBytes: bytes,
    fsyncPerWrite: z.boolean(),
    /** The files of the create, stat and delete phases. */
    files: z.object({
      count: positiveInteger,
      kind: z.enum(FILE_KINDS),
      minBytes: bytes,
      maxBytes: bytes,
      /** I/O size in bytes. */
      blockBytes: positiveInteger,
      directories: count,
    }),
    /** The packages of the install phase. */
    packages: positiveInteger,
  }),
  machine: hostSchema,
  target: z.object({
    /** The data's directory, which is removed after the run. */
    scratchDirectory: z.string(),
    ...targetSchema.shape,
  }),
  cache: cacheSchema,
  /** The data that was written before the steps of `options.steps`, and how long that took until it was on the device. */
  layout: layoutSchema.optional(),
  runs: z.array(runSchema),
  statistics: z.array(statisticsSchema),
  warnings: z.array(warningSchema),
  /** Null if unknown. Omitted before the end of the first run. */
  memoryCeiling: memoryCeilingSchema.nullable().optional(),
  outcome: outcomeSchema,
  /** Omitted without one. */
  reference: referenceSchema.optional(),
  /** Omitted for a run of one process. */
  job: jobSchema.optional(),
  /** How `ab` compares this report with the others of its list. Omitted by other commands. */
  ab: z.object({ maxRegressionPercent: z.number().nullable(), allowCached: z.boolean() }).optional(),
  /** Omitted without conditions, or if the run did not complete. */
  expectations: z.array(expectationSchema).optional(),
});

export type { DeviceIo, Latency, Measurement, TimeSeries } from './measurement-schema.js';
export interface Warning extends z.infer<typeof warningSchema> {}
export interface RateStatistics extends z.infer<typeof statisticsSchema> {}
export interface CacheHandling extends z.infer<typeof cacheSchema> {}
/** Interfaces, because editors show the name of an interface, but expand an inferred type. */
export interface Run extends z.infer<typeof runSchema> {
  measurements: Measurement[];
}
export interface ExpectationResult extends z.infer<typeof expectationSchema> {}
export type MemoryCeiling = z.infer<typeof memoryCeilingSchema>;
export interface Reference extends z.infer<typeof referenceSchema> {}
export type Outcome = z.infer<typeof outcomeSchema>;
export interface ReportedStep extends z.infer<typeof reportedStepSchema> {}
export interface Report extends z.infer<typeof reportSchema> {
  runs: Run[];
  statistics: RateStatistics[];
  warnings: Warning[];
  expectations?: ExpectationResult[] | undefined;
}
