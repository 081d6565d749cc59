import type { Report } from '../report/schema/report.js';
import { groupBy } from '../text/group-by.js';
import { measuredPoints, quotaFactsOf } from './measured-points.js';
import { groupByIoSize } from './point.js';
import { analyzeSweep } from './sweep-result.js';

/** The same work with different numbers of threads. */
export type LoadCurve = ReturnType<typeof findLoadCurves>[number];

/** With fewer numbers of threads, the points show no curve. */
const MIN_THREAD_COUNTS = 3;

/** Finds the steps that differ only in their threads. The quota is that of all I/O sizes together. */
export function findLoadCurves(report: Report) {
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
