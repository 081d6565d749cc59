import * as z from 'zod';
import { seconds } from '../report/schema/quantities.js';
import { warningSchema } from '../report/schema/report.js';
import { factsSchema } from './facts.js';
import { packed, packedSchema } from './packed.js';

/** No name is longer. */
const MOST_TEXT = 1000;

/** Of one rank in one step: more are left out. */
export const MOST_WARNINGS = 20;

const failedSchema = z.object({
  state: z.literal('failed'),
  code: z.string(),
  message: z.string(),
  hint: z.string(),
});

const doneSchema = z.object({
  state: z.literal('done'),
  /** Its waits since it last told something. */
  stamps: z.array(z.object({ came: z.number(), went: z.number() })),
  facts: factsSchema.optional(),
  measurement: packedSchema.optional(),
  /** By its own clock. */
  beganSeconds: seconds.optional(),
  warnings: z.array(warningSchema).max(MOST_WARNINGS).optional(),
  answer: z.number().optional(),
  text: z.string().max(MOST_TEXT).optional(),
});

/** What a rank tells of a step. */
const resultSchema = z.discriminatedUnion('state', [doneSchema, failedSchema]);

/** What rank 0 has decided for all. */
const agreementSchema = z.object({
  /** Of the job. */
  id: z.string().regex(/^[\w-]{1,40}$/),
  /** Judged again by each rank. */
  options: z.record(z.string(), z.unknown()),
  /** How many ranks share a filesystem, by its size. */
  sharers: z.record(z.string(), z.int().positive()),
  /** Whose files each rank uses. */
  sources: z.array(z.int().nonnegative()),
});

/** What rank 0 tells all after a step. */
const decisionSchema = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('go'),
    agreement: agreementSchema.optional(),
    answer: z.number().optional(),
  }),
  failedSchema,
]);

export type Done = z.infer<typeof doneSchema>;
export type StepResult = z.infer<typeof resultSchema>;
export type Go = Extract<Decision, { state: 'go' }>;
export type Agreement = z.infer<typeof agreementSchema>;
export type Decision = z.infer<typeof decisionSchema>;

export function textOf(message: StepResult | Decision): string {
  const measurement = message.state === 'done' && message.measurement;
  return JSON.stringify(measurement ? { ...message, measurement: packed(measurement) } : message);
}

export function parseResult(text: string): StepResult {
  return resultSchema.parse(JSON.parse(text));
}

export function parseDecision(text: string): Decision {
  return decisionSchema.parse(JSON.parse(text));
}
