import * as z from 'zod';
import { METRIC_UNITS } from '../report/amount.js';

const metricFields = { name: z.string(), unit: z.enum(METRIC_UNITS) };
const percent = z.number();
const interval = z.object({ low: percent, high: percent }).nullable();
const side = z.object({ mean: z.number(), runs: z.int().min(1) });

const difference = z.object({
  name: z.string(),
  before: z.string(),
  after: z.string(),
  within: z.string().optional(),
});

const comparison = z.object({
  before: z.string(),
  after: z.string(),
  /** Null if no metric gets a verdict. */
  maxRegressionPercent: percent.nullable(),
  method: z.enum(['welch', 'paired']),
  changes: z.array(
    z.object({
      ...metricFields,
      better: z.enum(['higher', 'lower']).nullable(),
      role: z.enum(['gating', 'informational']),
      before: side,
      after: side,
      changePercent: percent.nullable(),
      changePercentagePoints: z.number().nullable(),
      intervalPercent: interval,
      pValue: z.number().min(0).max(1).nullable(),
      significance: z.enum(['significant', 'not-significant', 'untested']),
      isFromDevice: z.boolean(),
      direction: z.enum(['better', 'worse']).nullable(),
      verdict: z.enum(['regression', 'pass', 'inconclusive', 'cached']).nullable(),
    }),
  ),
  differences: z.array(difference),
  /** Differences that do not prevent a verdict. */
  environmentNotes: z.array(difference),
  /** The sides whose results are as timed, and why. */
  timedOnly: z.array(z.object({ name: z.string(), reason: z.string() })),
});

/** The output of `compare --json`. A major version only ever adds fields. */
export const comparisonsSchema = z.object({
  schema: z.literal('gobonnie-comparison/1'),
  comparisons: z.array(comparison),
});

/** The output of `ab --json`: each directory compared with the first one, and the best directory for each metric. */
export const abSchema = z.object({
  schema: z.literal('gobonnie-ab/1'),
  comparisons: z.array(comparison),
  winners: z.array(
    z.object({
      ...metricFields,
      isFromDevice: z.boolean(),
      winner: z.string().nullable(),
      leader: z.string(),
      runnerUp: z.string(),
      leadPercent: percent.nullable(),
      intervalPercent: interval,
    }),
  ),
});
