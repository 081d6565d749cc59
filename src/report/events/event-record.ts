import * as z from 'zod';
import { measurementSchema } from '../schema/measured.js';
import { AT_ONCE, atLeastOne, rate, seconds } from '../schema/quantities.js';
import {
  cacheSchema,
  expectationSchema,
  outcomeSchema,
  reportSchema,
  statisticsSchema,
  warningSchema,
} from '../schema/report.js';
import { CHORES } from './event.js';

export const EVENT_SCHEMA = 'gobonnie-event/1';

const common = {
  schema: z.literal(EVENT_SCHEMA),
  /** When it happened. Null where that is no longer known. */
  time: z.iso.datetime(AT_ONCE).nullable(),
};
const startedAt = z.iso.datetime(AT_ONCE);
const run = atLeastOne;
const phase = z.string();

/** One thing that happened in a run, as plain data. Only ever extended within a major version. */
export const eventRecordSchema = z.discriminatedUnion('type', [
  /** The report as it is before anything was measured. */
  z.object({ ...common, type: z.literal('start'), report: reportSchema }),
  z.object({ ...common, type: z.literal('run-start'), run }),
  z.object({
    ...common,
    type: z.literal('phase-start'),
    run,
    phase,
    /** When it will be done: after so much of what. */
    goal: z.object({ unit: z.enum(['bytes', 'operations', 'seconds']), amount: rate }),
  }),
  /** What all threads together have done of the phase since it was started: ten times a second. */
  z.object({ ...common, type: z.literal('sample'), run, phase, seconds, bytes: rate, operations: rate }),
  /** Begun; it lasts until a phase moves on or is over. */
  z.object({ ...common, type: z.literal('chore'), chore: z.enum(CHORES) }),
  z.object({ ...common, type: z.literal('phase-end'), run, measurement: measurementSchema }),
  z.object({
    ...common,
    type: z.literal('run-end'),
    run,
    startedAt,
    /** What was done so far; not told by the first version. */
    cache: cacheSchema.optional(),
  }),
  z.object({ ...common, type: z.literal('warning'), warning: warningSchema }),
  /** The kernel does not answer. */
  z.object({ ...common, type: z.literal('stall'), waiting: z.string(), seconds, isAborted: z.boolean() }),
  /** What the runs came to; each of them was told before. */
  z.object({
    ...common,
    type: z.literal('end'),
    startedAt,
    cache: cacheSchema,
    statistics: z.array(statisticsSchema),
    outcome: outcomeSchema,
    expectations: z.array(expectationSchema).optional(),
  }),
]);

export type EventRecord = z.infer<typeof eventRecordSchema>;
