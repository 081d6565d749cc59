import * as z from 'zod';
import { groupBy } from '../text/group-by.js';

const rate = z.number().nonnegative();
const latency = z.number().nonnegative().nullable();

/** The mean of the measurements of one number of threads, at one I/O size. */
export const pointSchema = z.object({
  threads: z.int().positive(),
  /** Null if unknown, as in points measured elsewhere. */
  ioSizeBytes: z.int().positive().nullable(),
  operationsPerSecond: rate,
  bytesPerSecond: rate.nullable(),
  p99Ns: latency,
  meanNs: latency,
  /** The interval of the operations per second. Null for fewer than three measurements. */
  confidence95: z.object({ low: rate, high: rate }).nullable(),
  /** False if a cache served it, so the rate is not the device's rate. */
  isServedByDevice: z.boolean(),
  /** `cpu` if the CPU, not the device, limits the rate. */
  limitedBy: z.enum(['cpu']).nullable(),
});

/** The rate of one measurement of a point. */
interface RateSample {
  /** Time since the start of the sweep. For points measured elsewhere without times, their order. */
  readonly atSeconds: number;
  readonly operationsPerSecond: number;
}

export interface SweepPoint extends z.infer<typeof pointSchema> {
  readonly samples: readonly RateSample[];
}

export function groupByIoSize<Point extends Pick<SweepPoint, 'ioSizeBytes'>>(points: readonly Point[]) {
  return groupBy(points, ({ ioSizeBytes }) => String(ioSizeBytes));
}
