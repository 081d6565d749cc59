import type { MetricUnit } from '../../report/amount.js';
import { type Metric, metrics, metricValues } from '../../report/metrics.js';
import {
  completeRuns,
  findProvenance,
  type PhaseRows,
  type PhaseValues,
  type Provenance,
  type Results,
  type RunResult,
  splitByMachine,
} from '../../report/results.js';
import type { Report } from '../../report/schema/report.js';
import { computeStatistics, type Statistics } from '../../report/statistics/statistics.js';
import { groupBy } from '../../text/group-by.js';

/** One metric of a phase over all runs that have it. */
export interface MetricSummary extends Pick<PhaseValues, 'phase' | 'title' | 'primaryRate'> {
  readonly metric: Metric;
  readonly unit: MetricUnit;
  readonly statistics: Statistics;
  /** True if the values describe the disk. Exports for programs with thresholds omit other values. */
  readonly isFromDevice: boolean;
}

/** The runs in a directory of a machine, from one file or several. */
export interface MeasuredDirectory extends Pick<Provenance, 'label' | 'directory'> {
  /** Label and directory, to make the names of results unique. Empty if there is only one directory. */
  readonly prefix: string;
  readonly completeRuns: readonly RunResult[];
  readonly reports: readonly Report[];
}

/** Returns the complete runs of a machine or, if there are none, the incomplete runs. */
export function runsToShow(results: Results): readonly RunResult[] {
  const complete = completeRuns([results]);
  return complete.length > 0 ? complete : results.runs;
}

/** Returns the 95 % confidence interval of the mean. Null for a single run, or if it is infinite. */
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
      reports: group.map(({ report }) => report).filter((report) => report !== null),
    };
  });
}

/** Returns every known metric of the phase. */
export function summarizeMetrics(rows: PhaseRows): readonly MetricSummary[] {
  const [{ phase, title, primaryRate }] = rows;
  return metrics.flatMap((metric) => {
    const { values, isFromDevice } = metricValues(rows, metric);
    // The timed rate is a separate metric.
    if (values.length === 0 || (metric.name === '' && !isFromDevice)) return [];
    const statistics = computeStatistics(values);
    // A damaged report may hold values with an infinite sum.
    if (!Number.isFinite(statistics.mean)) return [];
    return [{ phase, title, primaryRate, metric, unit: metric.unit(rows[0]), statistics, isFromDevice }];
  });
}
