import { groupBy } from '../text/group-by.js';

/** The mean of the measurements at one depth and one I/O size. */
export interface SweepPoint {
  /** Number of operations that the load keeps in flight: the threads, each with its own depth. */
  readonly depth: number;
  /** Null if unknown, as in points measured elsewhere. */
  readonly threads: number | null;
  /** Null if unknown, as in points measured elsewhere. */
  readonly ioSizeBytes: number | null;
  readonly operationsPerSecond: number;
  readonly bytesPerSecond: number | null;
  readonly p99Ns: number | null;
  readonly meanNs: number | null;
  /** The interval of the operations per second. Null for fewer than three measurements. */
  readonly confidence95: { readonly low: number; readonly high: number } | null;
  /** False if a cache served it, so the rate is not the device's rate. Null if unknown. */
  readonly isServedByDevice: boolean | null;
  /** `cpu` if the CPU, not the device, limits the rate. */
  readonly limitedBy: 'cpu' | null;
  /** The times count from the start of the sweep. For points measured elsewhere without times, they are the order. */
  readonly samples: readonly { readonly atSeconds: number; readonly operationsPerSecond: number }[];
}

export function groupByIoSize<Point extends Pick<SweepPoint, 'ioSizeBytes'>>(points: readonly Point[]) {
  return groupBy(points, ({ ioSizeBytes }) => String(ioSizeBytes));
}
