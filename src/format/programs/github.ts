import { chartOf } from '../../report/amount.js';
import { type Metric, metricName } from '../../report/metrics.js';
import { byMachine, completeRuns, phasesOf, type Results } from '../../report/results.js';
import { harmlessJson } from '../../text/escape.js';
import { counted } from '../../text/units.js';
import {
  intervalOf,
  type MeasuredDirectory,
  measuredDirectories,
  prefixOf,
  type Summary,
  summariesOf,
} from './summary.js';

/**
 * An array for github-action-benchmark's tools customBiggerIsBetter and customSmallerIsBetter. A file has one direction
 * only, so there is a format for each.
 */
export function githubBenchmark(better: Metric['better']): (results: readonly Results[]) => string {
  return (results) => {
    const directories = measuredDirectories(byMachine(results));
    return harmlessJson(
      directories.flatMap((measured) => benchmarksOf(measured, prefixOf(measured, directories), better)),
    );
  };
}

function benchmarksOf(measured: MeasuredDirectory, prefix: string, better: Metric['better']) {
  return phasesOf(completeRuns(measured.results))
    .flatMap(summariesOf)
    .filter(({ metric }) => metric.isBrief && metric.better === better)
    .map((summary) => benchmarkOf(summary, prefix, measured));
}

function benchmarkOf(
  { phase, title, metric, unit, statistics }: Summary,
  prefix: string,
  measured: MeasuredDirectory,
) {
  // A fixed unit, as the values of many commits form one line of a chart.
  const { name, divisor } = chartOf(unit);
  const scaled = (value: number) => Number((value / divisor).toPrecision(6));
  const interval = intervalOf(statistics);
  const { runs, mean, min, max } = statistics;
  const range = interval && `± ${scaled(interval.high - mean)}`;
  const spread = runs > 1 ? `, ${scaled(min)} to ${scaled(max)} ${name}` : '';
  return {
    name: prefix + metricName(phase, metric),
    unit: name,
    value: scaled(mean),
    ...(range === null ? {} : { range }),
    extra: [`${title}: ${metric.title}`, counted(runs, 'run') + spread, measured.directory]
      .filter(Boolean)
      .join('\n'),
  };
}
