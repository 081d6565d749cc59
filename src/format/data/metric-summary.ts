import { metrics, metricValues } from '../../report/metrics.js';
import {
  completeRuns,
  findProvenance,
  isComplete,
  type Results,
  type RunResult,
  type StepRows,
  splitByMachine,
} from '../../report/results.js';
import type { Report } from '../../report/schema/report.js';
import { computeStatistics } from '../../report/statistics/statistics.js';
import { sanitize } from '../../text/escape.js';
import { groupBy } from '../../text/group-by.js';
import { formatBytes } from '../../text/units.js';

export type MetricSummary = ReturnType<typeof summarizeMetrics>[number];

/** The runs in a directory of a machine, from one file or several. */
export type MeasuredDirectory = ReturnType<typeof groupByDirectory>[number];

/** Returns the complete runs of a machine or, if there are none, the incomplete runs. */
export function runsToShow(results: Results): readonly RunResult[] {
  const complete = completeRuns([results]);
  return complete.length > 0 ? complete : results.runs;
}

/** The prefix makes the names of results unique. It is empty if there is only one directory. */
export function groupByDirectory(results: readonly Results[]) {
  const origins = splitByMachine(results).map((one) => ({ ...one, ...findProvenance(one) }));
  const groups = groupBy(origins, ({ label, directory }) => JSON.stringify([label, directory]));
  return groups.map((group) => {
    const [{ label, directory }] = group;
    const prefix = groups.length === 1 ? '' : `${[label, directory].filter(Boolean).join(' ')}: `;
    const reports = group.map(({ report }) => report).filter((report) => report !== null);
    return { label, directory, prefix, completeRuns: completeRuns(group), reports };
  });
}

/**
 * Returns every known metric of the phase. `interval` is the 95 % confidence interval of the mean, or null if it is
 * unknown or infinite. `isFromDevice` is true if the values describe the disk; exports for programs with thresholds omit
 * other values.
 */
export function summarizeMetrics(rows: StepRows) {
  const [{ step, title }] = rows;
  return metrics.flatMap((metric) => {
    const { values, isFromDevice } = metricValues(rows, metric);
    // The timed rate is a separate metric.
    if (values.length === 0 || (metric.name === '' && !isFromDevice)) return [];
    const statistics = computeStatistics(values);
    // A damaged report may hold values with an infinite sum.
    if (!Number.isFinite(statistics.mean)) return [];
    const { confidence95 } = statistics;
    const interval = Number.isFinite(confidence95?.high) ? confidence95 : null;
    return { phase: step, title, metric, unit: metric.unit(rows[0]), statistics, interval, isFromDevice };
  });
}

/** Summarizes the start, the machine, the disk and the main options of a report. Omits unknown values. */
export function reportMetadata({ startedAt, machine, target, options, runs, job }: Report) {
  const metadata = {
    started: startedAt,
    directory: target.directory,
    filesystem: target.filesystem,
    device: target.device,
    disk: target.disk?.model ?? null,
    system: machine.os,
    processor: machine.cpuModel,
    cores: machine.cores,
    memory: formatBytes(machine.memoryLimitBytes),
    'complete runs': runs.filter(isComplete).length,
    ranks: job?.ranks ?? null,
    hosts: job?.hosts.length ?? null,
    threads: options.threads,
    size: formatBytes(options.sizeBytes),
    access: options.direct ? 'direct' : 'buffered',
    seed: options.seed,
  };
  return Object.entries(metadata).flatMap(([name, value]) =>
    value === null ? [] : [{ name, value: sanitize(String(value)) }],
  );
}
