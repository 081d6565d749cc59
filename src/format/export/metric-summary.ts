import type { MetricUnit } from '../../report/amount.js';
import { type Metric, metrics, metricValues } from '../../report/metrics.js';
import {
  completeRuns,
  findProvenance,
  type PhaseFigures,
  type PhaseRows,
  type Provenance,
  type Results,
  type RunResult,
  splitByMachine,
} from '../../report/results.js';
import type { Report } from '../../report/schema/report.js';
import { computeStatistics, type Statistics } from '../../report/statistics/statistics.js';
import { groupBy } from '../../text/group-by.js';

/** One metric of a phase over all runs that have it. */
export interface MetricSummary extends Pick<PhaseFigures, 'phase' | 'title' | 'primaryRate'> {
  readonly metric: Metric;
  readonly unit: MetricUnit;
  readonly statistics: Statistics;
  /** Whether it tells of the disk. Programs that judge get nothing else. */
  readonly isFromDevice: boolean;
}

/** What was measured in one directory of one machine, from one file or several. */
export interface MeasuredDirectory extends Pick<Provenance, 'label' | 'directory'> {
  /** What distinguishes its figures from those of the others; empty if there is only one. */
  readonly prefix: string;
  readonly completeRuns: readonly RunResult[];
  readonly reports: readonly Report[];
}

/** The complete runs of a machine or, if there are none, the incomplete ones. */
export function runsToShow(results: Results): readonly RunResult[] {
  const complete = completeRuns([results]);
  return complete.length > 0 ? complete : results.runs;
}

/** The 95 % confidence interval of the mean, cut at 0, as no metric is negative. Null for a single run. */
export function finiteInterval({
  confidence95,
}: Statistics): { readonly low: number; readonly high: number } | null {
  if (confidence95 === null || !Number.isFinite(confidence95.high)) return null;
  return confidence95;
}

export function groupByDirectory(results: readonly Results[]): readonly MeasuredDirectory[] {
  const origins = splitByMachine(results).map((one) => ({ ...one, ...findProvenance(one) }));
  const groups = groupBy(origins, ({ label, directory }) => JSON.stringify([label, directory]));
  return groups.map((group) => {
    const [{ label, directory }] = group;
    return {
      label,
      directory,
      prefix: groups.length === 1 ? '' : `${[label, directory].filter(Boolean).join(' ')}: `,
      completeRuns: completeRuns(group),
      reports: group.flatMap(({ report }) => report ?? []),
    };
  });
}

/** Every known metric of the phase. */
export function summarizeMetrics(rows: PhaseRows): readonly MetricSummary[] {
  const [{ phase, title, primaryRate }] = rows;
  return metrics.flatMap((metric) => {
    const { values, isFromDevice } = metricValues(rows, metric);
    // The rate as timed has a metric of its own.
    if (values.length === 0 || (metric.name === '' && !isFromDevice)) return [];
    const statistics = computeStatistics(values);
    // A damaged report may hold figures whose sum is infinite.
    if (!Number.isFinite(statistics.mean)) return [];
    return [{ phase, title, primaryRate, metric, unit: metric.unit(rows[0]), statistics, isFromDevice }];
  });
}
