import * as z from 'zod';
import { packBuckets, unpackBuckets } from '../report/measure/latency-summary.js';
import { latencySchema, measurementSchema } from '../report/schema/measurement-schema.js';
import type { Measurement, TimeSeries } from '../report/schema/report.js';
import { NS_PER_SECOND } from '../text/units.js';

/** Rates over time travel with this many moments at most. */
const MAX_POINTS = 100;

/**
 * A measurement on its way to rank 0, in a third of the bytes: a launcher keeps what all ranks of all steps give in
 * the memory of every host until the job ends. Short numbers that repeat are what compresses well.
 */
const onTheWaySchema = z.object({
  ...measurementSchema.shape,
  latencyNs: latencySchema
    .extend({ buckets: z.array(z.tuple([z.int().nonnegative(), z.number().nonnegative()])) })
    .nullable(),
  /** Each as its distance from the one before. */
  series: z.object({
    nanoseconds: z.array(z.number()),
    operations: z.array(z.number()),
    bytes: z.array(z.number()),
  }),
});

export const encodedMeasurementSchema = onTheWaySchema.transform(decodeMeasurement);

type EncodedMeasurement = z.infer<typeof onTheWaySchema>;

/** Its rates over time at fewer moments, and without latencies over time, which cannot be added. */
export function encodeMeasurement({ latencyNs, series, ...others }: Measurement): EncodedMeasurement {
  const { length } = series.seconds;
  const every = Math.max(1, Math.ceil(length / MAX_POINTS));
  const kept = (values: readonly number[]) =>
    values.filter((_, at) => at === length - 1 || at % every === every - 1);
  return {
    ...others,
    latencyNs: latencyNs && { ...latencyNs, buckets: packBuckets(latencyNs.buckets) },
    series: {
      nanoseconds: toDeltas(kept(series.seconds).map((second) => Math.round(second * NS_PER_SECOND))),
      operations: toDeltas(kept(series.operations)),
      bytes: toDeltas(kept(series.bytes)),
    },
  };
}

function decodeMeasurement({ latencyNs, series, ...others }: EncodedMeasurement): Measurement {
  return {
    ...others,
    latencyNs: latencyNs && { ...latencyNs, buckets: unpackBuckets(latencyNs.buckets) },
    series: decodeSeries(series),
  };
}

function decodeSeries({ nanoseconds, operations, bytes }: EncodedMeasurement['series']): TimeSeries {
  return {
    seconds: fromDeltas(nanoseconds).map((moment) => moment / NS_PER_SECOND),
    operations: fromDeltas(operations),
    bytes: fromDeltas(bytes),
  };
}

function toDeltas(values: readonly number[]): number[] {
  return values.map((value, at) => value - (values[at - 1] ?? 0));
}

function fromDeltas(steps: readonly number[]): number[] {
  let reached = 0;
  return steps.map((step) => {
    reached += step;
    return reached;
  });
}
