import * as z from 'zod';
import { targetSchema } from '../machine/machine-schema.js';
import { METRIC_UNITS } from '../report/amount.js';

const percent = z.number();
/** Confidence interval of the change. Null for single runs, whose noise is unknown. */
const interval = z.object({ low: percent, high: percent }).nullable();
const side = z.object({
  /** The geometric mean; the arithmetic mean if a run measured 0; for `max`, the longest of all runs. */
  mean: z.number(),
  runs: z.int().min(1),
});

const difference = z.object({
  name: z.string(),
  before: z.string(),
  after: z.string(),
  /** The side whose own documents differ. Omitted if the two sides differ. */
  within: z.string().optional(),
});

const change = z.object({
  /** Such as `read` or `read.p99`. */
  name: z.string(),
  unit: z.enum(METRIC_UNITS),
  /** The better direction. Null if neither direction is better. */
  better: z.enum(['higher', 'lower']).nullable(),
  /** Gets a verdict, or is only shown. */
  role: z.enum(['gating', 'informational']),
  before: side,
  after: side,
  /** In percent of the value before. Null if that value was 0, and for shares, which differ in points. */
  changePercent: percent.nullable(),
  /** In percentage points, for metrics that are percentages. Otherwise null. */
  changePercentagePoints: z.number().nullable(),
  /** With a confidence of 95 % for all gating metrics together. */
  intervalPercent: interval,
  /** Decides the verdict. With a confidence of 75 %, or of 90 % while more runs may follow. */
  verdictIntervalPercent: interval,
  /** How many runs of each side would probably decide. Null if it is decided, or too many would be needed. */
  runsToDecide: z.int().positive().nullable(),
  /** `significant` if `intervalPercent` excludes 0. `untested` with single runs only, with a 0, or if a result was partly cached. */
  significance: z.enum(['significant', 'not-significant', 'untested']),
  /** True if both sides are the disk's results. Otherwise both are as timed, and no verdict is possible. */
  isFromDevice: z.boolean(),
  /** Null if neither direction is better, or the change may be noise. */
  direction: z.enum(['better', 'worse']).nullable(),
  /**
   * Worse than allowed, not worse, too noisy to tell, or unknown because a result was partly cached.
   * Null if the metric is only shown, or if the sides differ in more than their results.
   */
  verdict: z.enum(['regression', 'pass', 'inconclusive', 'cached']).nullable(),
});

const comparison = z.object({
  before: z.string(),
  after: z.string(),
  /** Null if no metric gets a verdict. */
  maxRegressionPercent: percent.nullable(),
  method: z.enum(['welch', 'paired']),
  changes: z.array(change),
  /** Differences in target or options, which may have caused a change. */
  differences: z.array(difference),
  /** Differences that do not prevent a verdict: CPU model, cores, RAM, Node's version. */
  environmentNotes: z.array(difference),
  /** The sides whose results are as timed, and why. */
  timedOnly: z.array(z.object({ name: z.string(), reason: z.string() })),
});

const winner = z.object({
  ...change.pick({ name: true, unit: true, isFromDevice: true }).shape,
  /** Null if the leader's lead over another side may be noise. */
  winner: z.string().nullable(),
  /** The side with the best mean. */
  leader: z.string(),
  /** The first side that the leader does not clearly beat, otherwise the second best. */
  runnerUp: z.string(),
  leadPercent: percent.nullable(),
  ...change.pick({ intervalPercent: true, verdictIntervalPercent: true, runsToDecide: true }).shape,
});

/** The output of `compare --json`. A major version only ever adds fields. */
export const comparisonsSchema = z.object({
  schema: z.literal('gobonnie-comparison/1'),
  comparisons: z.array(comparison),
});

const seconds = z.number().nonnegative();
const amount = z.number().nonnegative().nullable();

const commandRun = z.object({
  seconds,
  /** CPU time of all processes of the command. Null if this system does not count it, or not so little. */
  cpuSeconds: amount,
  /** The part of it that the kernel took for their calls. */
  systemCpuSeconds: amount,
  /** The time in which at least one process waited for I/O. */
  ioWaitSeconds: amount,
  /** The disk's work meanwhile, for any process. Null for memory and where the system does not count. */
  deviceReadBytes: amount,
  deviceWrittenBytes: amount,
  deviceReads: amount,
  deviceWrites: amount,
  /** The part of the bytes read that no device had to deliver. Null for memory, whose reads are of other disks. */
  cachedShare: amount,
});

const commandSide = z.object({
  /** The directory or, if commands are compared in one directory, the command. */
  name: z.string(),
  words: z.array(z.string()),
  ...targetSchema.pick({ directory: true, filesystem: true, device: true, isMemory: true }).shape,
  /** The other system or process that serves the files. Null if the kernel does. */
  fileServer: z.enum(['windows', 'docker', 'machine', 'network', 'process']).nullable(),
  /** The time of the first run, which does not count. */
  firstRunSeconds: seconds,
  runs: z.array(commandRun),
  meanSeconds: seconds,
  confidence95: z.object({ low: seconds, high: seconds }).nullable(),
});

const commandComparison = z.object({
  prepare: z.string().nullable(),
  /** The files of which each side has a copy. Null for an empty directory. */
  copied: z
    .object({ directory: z.string(), entries: z.int(), bytes: z.number(), excluded: z.array(z.string()) })
    .nullable(),
  /** How the page cache was handled before each run, and why it was kept. */
  cache: z.object({ applied: z.enum(['drop', 'evict', 'keep']), reason: z.string().nullable() }),
  /** Whose waits for I/O are counted: the command's alone, or the whole system's. Null if they are not counted. */
  ioWaitOf: z.enum(['command', 'system']).nullable(),
  sides: z.array(commandSide),
});

/** The output of `ab --json`: each directory compared with the first one, and the best directory for each metric. */
export const abSchema = z.object({
  schema: z.literal('gobonnie-ab/1'),
  comparisons: z.array(comparison),
  winners: z.array(winner),
  /** How commands were run, if their times were compared. */
  command: commandComparison.optional(),
});

export interface Comparison extends z.infer<typeof comparison> {
  changes: MetricChange[];
}
export interface MetricChange extends z.infer<typeof change> {}
export interface ChangeSide extends z.infer<typeof side> {}
export interface EnvironmentDifference extends z.infer<typeof difference> {}
export interface MetricWinner extends z.infer<typeof winner> {}
export type ComparisonMethod = Comparison['method'];
export type ComparisonVerdict = NonNullable<MetricChange['verdict']>;
export interface CommandRun extends z.infer<typeof commandRun> {}
export interface CommandSide extends z.infer<typeof commandSide> {}
export interface CommandComparison extends z.infer<typeof commandComparison> {}
