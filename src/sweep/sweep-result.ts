import * as z from 'zod';
import { countInFlight, WAIT_REASONS } from './in-flight.js';
import { findKnee, kneeSchema, type LatencyBound, mostThreadsWithin } from './knee.js';
import { groupByIoSize, pointSchema, type SweepPoint } from './point.js';
import { findQuota, type QuotaFacts, quotaSchema } from './quota.js';

const resultPointSchema = pointSchema.extend({
  /** Rate x mean latency. */
  inFlight: z.number().nonnegative().nullable(),
  /** What threads without an operation in flight wait for. */
  waitReason: z.enum(WAIT_REASONS).nullable(),
});

/** The document that `sweep --json` prints. */
export const sweepResultSchema = z.object({
  /** The knee of the first I/O size. */
  knee: kneeSchema.nullable(),
  quota: quotaSchema.nullable(),
  /** Grouped by I/O size, in order of threads. */
  points: z.array(resultPointSchema),
  /** With --latency, the most threads of the first I/O size that meet it. */
  latency: z.object({ condition: z.string(), threads: z.int().positive().nullable() }).optional(),
});
export type SweepResult = z.infer<typeof sweepResultSchema>;
export type ResultPoint = z.infer<typeof resultPointSchema>;

/** Finds the knee and the quota of points of one or several I/O sizes. */
export function analyzeSweep(
  points: readonly SweepPoint[],
  facts: QuotaFacts,
  bound: LatencyBound | null = null,
): SweepResult {
  const quota = findQuota(points, facts);
  const groups = groupByIoSize(points);
  const sorted = groups.flatMap((group) => group.toSorted((one, other) => one.threads - other.threads));
  const [first = []] = groups;
  const latency = bound && {
    condition: bound.condition,
    threads: mostThreadsWithin(first, bound)?.threads ?? null,
  };
  return {
    knee: findKnee(first),
    quota,
    points: sorted.map((point) => {
      const { samples: _, ...values } = point;
      return { ...values, ...countInFlight(point, quota !== null) };
    }),
    ...(latency && { latency }),
  };
}
