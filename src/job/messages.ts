import * as z from 'zod';
import { seconds } from '../report/schema/quantities.js';
import { warningSchema } from '../report/schema/report.js';
import { encodedMeasurementSchema, encodeMeasurement } from './measurement-codec.js';
import { rankInfoSchema } from './rank-info.js';

/** No name is longer. */
const MAX_TEXT_LENGTH = 1000;

/** Of one rank in one step: more are left out. */
export const MAX_WARNINGS = 20;

const stepFailureSchema = z.object({
  state: z.literal('failed'),
  code: z.string(),
  message: z.string(),
  hint: z.string(),
});

const stepSuccessSchema = z.object({
  state: z.literal('done'),
  /** Its waits since it last told something. */
  barrierTimes: z.array(z.object({ entered: z.number(), left: z.number() })),
  rankInfo: rankInfoSchema.optional(),
  measurement: encodedMeasurementSchema.optional(),
  /** By its own clock. */
  startedAtSeconds: seconds.optional(),
  warnings: z.array(warningSchema).max(MAX_WARNINGS).optional(),
  value: z.number().optional(),
  text: z.string().max(MAX_TEXT_LENGTH).optional(),
});

/** A rank's report of a step. */
const stepResultSchema = z.discriminatedUnion('state', [stepSuccessSchema, stepFailureSchema]);

/** What rank 0 has decided for all. */
const agreementSchema = z.object({
  /** Of the job. */
  id: z.string().regex(/^[\w-]{1,40}$/),
  /** Judged again by each rank. */
  options: z.record(z.string(), z.unknown()),
  /** How many ranks share a filesystem, by its size. */
  ranksSharing: z.record(z.string(), z.int().positive()),
  /** Whose files each rank uses. */
  sources: z.array(z.int().nonnegative()),
});

/** Rank 0's broadcast to all ranks after a step. */
const decisionSchema = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('go'),
    agreement: agreementSchema.optional(),
    value: z.number().optional(),
  }),
  stepFailureSchema,
]);

export type StepSuccess = z.infer<typeof stepSuccessSchema>;
export type StepResult = z.infer<typeof stepResultSchema>;
export type ProceedDecision = Extract<Decision, { state: 'go' }>;
export type Agreement = z.infer<typeof agreementSchema>;
export type Decision = z.infer<typeof decisionSchema>;

export function serializeMessage(message: StepResult | Decision): string {
  const measurement = message.state === 'done' && message.measurement;
  return JSON.stringify(measurement ? { ...message, measurement: encodeMeasurement(measurement) } : message);
}

export function parseResult(text: string): StepResult {
  return stepResultSchema.parse(JSON.parse(text));
}

export function parseDecision(text: string): Decision {
  return decisionSchema.parse(JSON.parse(text));
}
