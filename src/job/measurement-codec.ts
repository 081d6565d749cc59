import * as z from 'zod';
import { packBuckets, unpackBuckets } from '../report/measure/latency-summary.js';
import { latencySchema, measurementSchema } from '../report/schema/measurement-schema.js';
import type { Measurement, TimeSeries } from '../report/schema/report.js';
import { NS_PER_SECOND } from '../text/units.js';

/** The maximum number of time series samples that a rank sends, apart from the last one. */
const MAX_POINTS = 100;

/**
 * A measurement as sent to rank 0, in a third of the bytes: a launcher keeps every text of every rank in the memory of
 * every host until the job ends. Short, repeating numbers compress well.
 */
const encodedSchema = z.object({
  ...measurementSchema.shape,
  latencyNs: latencySchema
    .extend({ buckets: z.array(z.tuple([z.int().nonnegative(), z.number().nonnegative()])) })
    .nullable(),
  /** Differences between successive values. */
  series: z.object({
    nanoseconds: z.array(z.number()),
    operations: z.array(z.number()),
    bytes: z.array(z.number()),
  }),
});

export const encodedMeasurementSchema = encodedSchema.transform(decodeMeasurement);

type EncodedMeasurement = z.infer<typeof encodedSchema>;

/** Thins the time series, and drops its latencies, because latencies of several ranks cannot be added. */
export function encodeMeasurement({ latencyNs, series, ...others }: Measurement): EncodedMeasurement {
  const { length } = series.seconds;
  const stride = Math.max(1, Math.ceil(length / MAX_POINTS));
  const thin = (values: readonly number[]) =>
    values.filter((_, at) => at === length - 1 || at % stride === stride - 1);
  return {
    ...others,
    latencyNs: latencyNs && { ...latencyNs, buckets: packBuckets(latencyNs.buckets) },
    series: {
      nanoseconds: toDeltas(thin(series.seconds).map((second) => Math.round(second * NS_PER_SECOND))),
      operations: toDeltas(thin(series.operations)),
      bytes: toDeltas(thin(series.bytes)),
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
    seconds: fromDeltas(nanoseconds).map((value) => value / NS_PER_SECOND),
    operations: fromDeltas(operations),
    bytes: fromDeltas(bytes),
  };
}

function toDeltas(values: readonly number[]): number[] {
  return values.map((value, at) => value - (values[at - 1] ?? 0));
}

function fromDeltas(deltas: readonly number[]): number[] {
  let total = 0;
  return deltas.map((delta) => {
    total += delta;
    return total;
  });
}
