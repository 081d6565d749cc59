import * as z from 'zod';
import { measurementSchema } from '../schema/measurement-schema.js';
import { ABORT_EARLY, nanoseconds, positiveInteger, rate, seconds } from '../schema/quantities.js';
import {
  cacheSchema,
  expectationSchema,
  memoryCeilingSchema,
  outcomeSchema,
  reportSchema,
  statisticsSchema,
  warningSchema,
} from '../schema/report.js';
import { ACTIVITIES } from './event.js';

export const EVENT_SCHEMA = 'gobonnie-event/1';

const common = {
  schema: z.literal(EVENT_SCHEMA),
  /** The time of the event. Null if unknown. */
  time: z.iso.datetime(ABORT_EARLY).nullable(),
};
const startedAt = z.iso.datetime(ABORT_EARLY);
const run = positiveInteger;
const phase = z.string();

/** One thing that happened in a run, as plain data. Only ever extended within a major version. */
export const eventRecordSchema = z.discriminatedUnion('type', [
  /** The report before anything was measured. */
  z.object({ ...common, type: z.literal('start'), report: reportSchema }),
  z.object({ ...common, type: z.literal('run-start'), run }),
  z.object({
    ...common,
    type: z.literal('phase-start'),
    run,
    phase,
    goal: z.object({
      unit: z.enum(['bytes', 'operations', 'seconds']),
      amount: rate,
      timeLimitSeconds: seconds.optional(),
    }),
  }),
  /** The work of all threads since the phase started, sent ten times a second. */
  z.object({
    ...common,
    ...{ type: z.literal('sample'), run, phase, seconds, bytes: rate, operations: rate },
    /** Of the operations that ended since the sample before; null if there are none. */
    latencyNs: z.object({ p50: nanoseconds, p99: nanoseconds, max: nanoseconds }).nullable().optional(),
  }),
  /** An activity begins; it lasts until a phase makes progress or ends. */
  z.object({
    ...common,
    type: z.literal('activity'),
    activity: z.enum(ACTIVITIES),
    /** The remaining files to remove. Sent once a second while files are removed. */
    remaining: z.object({ bytes: rate, files: rate }).optional(),
  }),
  z.object({ ...common, type: z.literal('phase-end'), run, measurement: measurementSchema }),
  z.object({
    ...common,
    type: z.literal('run-end'),
    run,
    startedAt,
    /** How the cache was handled so far; the first version did not write it. */
    cache: cacheSchema.optional(),
    memoryCeiling: memoryCeilingSchema.nullable().optional(),
    /** Those so far, as they are over all runs so far. */
    warnings: z.array(warningSchema).optional(),
  }),
  z.object({ ...common, type: z.literal('warning'), warning: warningSchema }),
  /** The kernel does not answer. */
  z.object({ ...common, type: z.literal('stall'), waitingFor: z.string(), seconds, isAborted: z.boolean() }),
  /** The result of all runs, without their measurements, which earlier lines hold. */
  z.object({
    ...common,
    type: z.literal('end'),
    startedAt,
    cache: cacheSchema,
    statistics: z.array(statisticsSchema),
    outcome: outcomeSchema,
    expectations: z.array(expectationSchema).optional(),
    warnings: z.array(warningSchema).optional(),
  }),
]);

export type EventRecord = z.infer<typeof eventRecordSchema>;
