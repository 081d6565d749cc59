import { unitDefinitions } from '../../report/amount.js';
import { quantities, summarizeMetrics } from '../../report/metrics.js';
import { groupByStep, type Results, type StepRows } from '../../report/results.js';
import { isComplete, runsToShow } from '../../report/runs.js';
import type { Report } from '../../report/schema/report.js';
import { sum } from '../../report/statistics/statistics.js';
import { sanitize } from '../../text/escape.js';
import { groupBy } from '../../text/group-by.js';
import { MS_PER_SECOND, NS_PER_SECOND } from '../../text/units.js';
import { groupByDirectory, type MeasuredDirectory } from './report-metadata.js';

const SUCCESS_HELP = '1 if the measurement completed, 0 if not.';
const EXPECTATION_HELP = '1 if the condition of --expect holds, 0 if not.';

type MetricFamily = Readonly<Record<'name' | 'help' | 'type', string>>;
type Labels = Readonly<Record<string, string>>;

type Gauge = (name: string, help: string, value: number, labels?: Labels) => Sample;

/** A line of the text format, and the header of its metric family. */
type Sample = ReturnType<typeof createSample>;

/** Renders Prometheus' text format for node_exporter's textfile collector, which rejects timestamps. */
export function prometheusText(results: readonly Results[]): string {
  const samples = groupByDirectory(results).flatMap(directorySamples);
  return groupBy(samples, ({ header }) => header)
    .map((group) => group[0].header + [...new Set(group.map(({ line }) => line))].join(''))
    .join('');
}

function createSample(
  { name, help, type }: MetricFamily,
  value: number,
  labels: Labels,
  suffix: '' | '_sum' | '_count' = '',
) {
  const escapeLabel = (text: string) => sanitize(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escapeLabel(text)}"`);
  return {
    header: `# HELP gobonnie_${name} ${help}\n# TYPE gobonnie_${name} ${type}\n`,
    line: `gobonnie_${name}${suffix}{${pairs.join(',')}} ${value}\n`,
  };
}

function directorySamples({ label, directory, runs, reports }: MeasuredDirectory): readonly Sample[] {
  const [latest] = reports.toSorted((one, other) => Date.parse(other.startedAt) - Date.parse(one.startedAt));
  const labels: Labels = directory === null ? { label } : { label, directory };
  const gauge: Gauge = (name, help, value, ownLabels) =>
    createSample({ name, help, type: 'gauge' }, value, { ...labels, ...ownLabels });
  return [
    ...groupByStep(runsToShow(runs)).flatMap((rows) => metricSamples(rows, labels)),
    gauge('runs', 'Number of complete runs.', runs.filter(isComplete).length),
    ...(latest ? reportSamples(latest, gauge) : []),
  ];
}

/** Returns every metric of a phase as the mean of its runs. */
function metricSamples(rows: StepRows, directoryLabels: Labels): readonly Sample[] {
  const labels = { ...directoryLabels, step: rows[0].step };
  return summarizeMetrics(rows).flatMap(({ metric: { quantity, quantile }, unit, value }) => {
    const { name, divisor } = unitDefinitions[unit].base;
    const title = quantities[quantity];
    const family: MetricFamily = {
      name: [quantity, name].filter(Boolean).join('_'),
      help: `${title.charAt(0).toUpperCase()}${title.slice(1)}, mean of the runs${quantile === null ? '' : '; quantile 1 is of all runs'}.`,
      type: quantile === null ? 'gauge' : 'summary',
    };
    const scaled = value / divisor;
    if (quantile === null) return [createSample(family, scaled, labels)];
    const sample = createSample(family, scaled, { ...labels, quantile: String(quantile) });
    // Other programs report only the longest operation, which has the quantile 1.
    return quantile === 1 && quantity === 'latency'
      ? [sample, ...summaryTotals(rows, family, labels)]
      : [sample];
  });
}

/** Returns the number of operations in all runs, and the sum of their latencies. */
function summaryTotals(rows: StepRows, family: MetricFamily, labels: Labels): readonly Sample[] {
  const distributions = rows.flatMap(({ latencyNs: { mean }, operations }) =>
    mean === undefined || operations === null ? [] : [{ mean, operations }],
  );
  if (distributions.length === 0) return [];
  const seconds = sum(distributions.map(({ mean, operations }) => (mean / NS_PER_SECOND) * operations));
  const count = sum(distributions.map(({ operations }) => operations));
  return [createSample(family, seconds, labels, '_sum'), createSample(family, count, labels, '_count')];
}

function reportSamples(report: Report, gauge: Gauge): readonly Sample[] {
  const { version, startedAt, target, outcome, warnings, expectations = [] } = report;
  const info = { version, filesystem: target.filesystem ?? '', device: target.device ?? '' };
  const startSeconds = Date.parse(startedAt) / MS_PER_SECOND;
  // An alert on the value 0 must not fire during the measurement.
  const success =
    outcome.state === 'running'
      ? []
      : [gauge('success', SUCCESS_HELP, Number(outcome.state === 'completed'))];
  return [
    gauge('info', 'Version, filesystem and device; always 1.', 1, info),
    gauge('start_time_seconds', 'Start of the measurement, in seconds since 1970.', startSeconds),
    ...success,
    ...warnings.map(({ code, step }) =>
      gauge('warning', 'A warning of the report; always 1.', 1, { code, step: step ?? '' }),
    ),
    ...expectations.map(({ condition: expectation, passed }) =>
      gauge('expectation_met', EXPECTATION_HELP, Number(passed), { expectation }),
    ),
  ];
}
