import * as z from 'zod';
import { UNITS } from '../report/amount.js';

const named = { name: z.string(), unit: z.enum(UNITS) };
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
  /** Null if nothing is judged. */
  maxRegressionPercent: percent.nullable(),
  method: z.enum(['welch', 'paired']),
  changes: z.array(
    z.object({
      ...named,
      better: z.enum(['more', 'less']).nullable(),
      role: z.enum(['judged', 'shown']),
      before: side,
      after: side,
      changePercent: percent.nullable(),
      changePoints: z.number().nullable(),
      intervalPercent: interval,
      probability: z.number().min(0).max(1).nullable(),
      certainty: z.enum(['significant', 'noise', 'untested']),
      isOfDisk: z.boolean(),
      direction: z.enum(['better', 'worse']).nullable(),
      verdict: z.enum(['regression', 'fine', 'unsure', 'unknown']).nullable(),
    }),
  ),
  differences: z.array(difference),
  /** Differences that do not prevent a verdict. */
  notes: z.array(difference),
  /** The sides whose figures are as timed, and why. */
  timed: z.array(z.object({ name: z.string(), reason: z.string() })),
});

/** What `compare --json` prints. Only ever extended within a major version. */
export const comparisonsSchema = z.object({
  schema: z.literal('gobonnie-comparison/1'),
  comparisons: z.array(comparison),
});

/** What `ab --json` prints: each other directory compared with the first, and the best one for each figure. */
export const standingsSchema = z.object({
  schema: z.literal('gobonnie-ab/1'),
  comparisons: z.array(comparison),
  standings: z.array(
    z.object({
      ...named,
      isOfDisk: z.boolean(),
      winner: z.string().nullable(),
      leader: z.string(),
      next: z.string(),
      leadPercent: percent.nullable(),
      intervalPercent: interval,
    }),
  ),
});
