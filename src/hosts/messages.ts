import * as z from 'zod';
import { ERROR_CODES, type ErrorCode, GobonnieError } from '../errors.js';
import { measurementSchema, seconds } from '../report/schema/measurement-schema.js';
import { type Measurement, warningSchema } from '../report/schema/report.js';
import { toGobonnieError } from '../system-error.js';
import { rankInfoSchema } from './rank-info.js';

/** The maximum number of time series samples that a rank sends, apart from the last one. */
const MAX_SAMPLES = 100;

const stepFailureSchema = z.object({
  state: z.literal('failed'),
  /** Another version, which rank 0 rejects, may have other codes. */
  code: z.enum(ERROR_CODES).catch('rank-failed'),
  message: z.string(),
  hint: z.string(),
});

/** When a process entered and left a barrier, in seconds of its own clock. */
const barrierTimesSchema = z.object({ entered: z.number(), left: z.number() });

const stepSuccessSchema = z.object({
  state: z.literal('done'),
  /** Barriers since the last message. */
  barrierTimes: z.array(barrierTimesSchema),
  rankInfo: rankInfoSchema.optional(),
  measurement: measurementSchema.optional(),
  /** Start of the phase by the rank's own clock. */
  startedAtSeconds: seconds.optional(),
  warnings: z.array(warningSchema),
  /** The name of the rank's temporary directory. */
  directory: z.string().optional(),
  /** The bytes or files that each thread has created. */
  created: z.array(z.number()).readonly().optional(),
});

export const stepResultSchema = z.discriminatedUnion('state', [stepSuccessSchema, stepFailureSchema]);

/** Rank 0's decision about the options that ranks may not choose on their own. */
const agreementSchema = z.object({
  threads: z.int().positive(),
  /** In GiB. Omitted without phases that use data. */
  size: z.number().positive().optional(),
  seed: z.int().nonnegative(),
  /** Number of ranks that share a filesystem, by the filesystem's size. */
  ranksSharing: z.record(z.string(), z.int().positive()),
  /** The rank whose files each rank reads. */
  sources: z.array(z.int().nonnegative()),
});

/** Rank 0's broadcast to all ranks after a step. */
export const decisionSchema = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('go'),
    agreement: agreementSchema.optional(),
    /** True if rank 0 sees the directories of all ranks. */
    isShared: z.boolean().optional(),
  }),
  stepFailureSchema,
]);

export type BarrierTimes = z.infer<typeof barrierTimesSchema>;
export type StepFailure = z.infer<typeof stepFailureSchema>;
export type StepSuccess = z.infer<typeof stepSuccessSchema>;
export type StepResult = z.infer<typeof stepResultSchema>;
/** The fields of the decision to continue. */
export type DecisionFields = Omit<Extract<Decision, { state: 'go' }>, 'state'>;
export type Agreement = z.infer<typeof agreementSchema>;
export type Decision = z.infer<typeof decisionSchema>;

export function serializeMessage(message: StepResult | Decision): string {
  const measurement = message.state === 'done' && message.measurement;
  return JSON.stringify(measurement ? { ...message, measurement: thinSeries(measurement) } : message);
}

/** Drops the latencies of the series, because latencies of several ranks cannot be added. */
function thinSeries({ series, ...others }: Measurement): Measurement {
  const { length } = series.seconds;
  const stride = Math.max(1, Math.ceil(length / MAX_SAMPLES));
  const thin = (values: readonly number[]) =>
    values.filter((_, at) => at === length - 1 || at % stride === stride - 1);
  return {
    ...others,
    series: { seconds: thin(series.seconds), operations: thin(series.operations), bytes: thin(series.bytes) },
  };
}

export function toStepFailure(error: Error): StepFailure {
  const { code, message, hint } = toGobonnieError(error) ?? {
    code: 'system-call-failed' satisfies ErrorCode,
    message: `internal error (${error.message})`,
    hint: 'please report it',
  };
  return { state: 'failed', code, message, hint };
}

/** Returns the result of a rank whose message did not arrive intact. */
export function lostResult({ message }: Error): StepFailure {
  const problem = `its result was corrupted in transit (${message})`;
  return toStepFailure(
    new GobonnieError('rank-failed', problem, 'run it again, with the same version on all hosts'),
  );
}
