import type { Report, ReportedStep } from '../report/schema/report.js';
import { groupBy } from '../text/group-by.js';
import { measuredPoints, quotaFactsOf } from './measured-points.js';
import { groupByIoSize } from './point.js';
import type { Quota } from './quota.js';
import { analyzeSweep, type ResultPoint } from './sweep-result.js';

/** The same work with different numbers of threads. */
export interface LoadCurve {
  readonly work: Pick<ReportedStep, 'phase' | 'mixPercent'>;
  readonly points: readonly [ResultPoint, ...ResultPoint[]];
  /** The quota of all I/O sizes together. */
  readonly quota: Quota | null;
}

/** With fewer numbers of threads, the points show no curve. */
const MIN_THREAD_COUNTS = 3;

/** Finds the steps that differ only in their threads. */
export function findLoadCurves(report: Report): readonly LoadCurve[] {
  const { steps = [], ...options } = report.options;
  const groups = groupBy(steps, ({ phase, mixPercent, direct, fsync, syncPerWrite }) =>
    JSON.stringify([phase, mixPercent, direct, fsync, syncPerWrite]),
  );
  return groups.flatMap((group) => {
    const part = { ...report, options: { ...options, steps: [...group] } };
    const { points, quota } = analyzeSweep(measuredPoints(part), quotaFactsOf(part));
    return groupByIoSize(points)
      .filter((curve) => new Set(curve.map(({ threads }) => threads)).size >= MIN_THREAD_COUNTS)
      .map((curve) => ({ work: group[0], points: curve, quota }));
  });
}
