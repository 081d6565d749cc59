import * as z from 'zod';
import { seconds } from '../report/schema/quantities.js';
import { warningSchema } from '../report/schema/report.js';
import { encodedMeasurementSchema, encodeMeasurement } from './measurement-codec.js';
import { rankInfoSchema } from './rank-info.js';

/** Room for what each of 1024 threads has created, and for any file name. */
const MAX_TEXT_LENGTH = 20_000;

/** The maximum number of warnings in one message. The next message has the remaining warnings. */
export const MAX_WARNINGS = 20;

const stepFailureSchema = z.object({
  state: z.literal('failed'),
  code: z.string(),
  message: z.string(),
  hint: z.string(),
});

const stepSuccessSchema = z.object({
  state: z.literal('done'),
  /** Barriers since the last message. */
  barrierTimes: z.array(z.object({ entered: z.number(), left: z.number() })),
  rankInfo: rankInfoSchema.optional(),
  measurement: encodedMeasurementSchema.optional(),
  /** Start of the phase by the rank's own clock. */
  startedAtSeconds: seconds.optional(),
  warnings: z.array(warningSchema).max(MAX_WARNINGS).optional(),
  value: z.number().optional(),
  text: z.string().max(MAX_TEXT_LENGTH).optional(),
});

/** A rank's result of a step. */
const stepResultSchema = z.discriminatedUnion('state', [stepSuccessSchema, stepFailureSchema]);

/** Rank 0's decision about the job's options and files. */
const agreementSchema = z.object({
  /** ID of the job. */
  id: z.string().regex(/^[\w-]{1,40}$/),
  /** Validated again by each rank. */
  options: z.record(z.string(), z.unknown()),
  /** Number of ranks that share a filesystem, by the filesystem's size. */
  ranksSharing: z.record(z.string(), z.int().positive()),
  /** The rank whose files each rank reads. */
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
