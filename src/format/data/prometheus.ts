import { unitDefinitions } from '../../report/amount.js';
import { groupByPhase, type PhaseRows, type Results } from '../../report/results.js';
import type { Report } from '../../report/schema/report.js';
import { sum } from '../../report/statistics/statistics.js';
import { sanitize } from '../../text/escape.js';
import { groupBy } from '../../text/group-by.js';
import { MS_PER_SECOND, NS_PER_SECOND } from '../../text/units.js';
import {
  groupByDirectory,
  type MeasuredDirectory,
  type MetricSummary,
  summarizeMetrics,
} from './metric-summary.js';

interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'summary';
}

type Labels = Readonly<Record<string, string>>;

/** A line of the text format. */
interface Sample {
  readonly family: MetricFamily;
  /** Set for the totals of a summary. */
  readonly suffix?: '_sum' | '_count';
  readonly labels: Labels;
  readonly value: number;
}

/** Renders Prometheus' text format for node_exporter's textfile collector, which rejects timestamps. */
export function prometheusText(results: readonly Results[]): string {
  const samples = groupByDirectory(results).flatMap(directorySamples);
  return groupBy(samples, ({ family }) => family.name)
    .map((group) => familyHeader(group[0]) + [...new Set(group.map(sampleLine))].join(''))
    .join('');
}

function familyHeader({ family: { name, help, type } }: Sample): string {
  return `# HELP ${prefixName(name)} ${help}\n# TYPE ${prefixName(name)} ${type}\n`;
}

function sampleLine({ family, suffix, labels, value }: Sample): string {
  const pairs = Object.entries(labels).map(([name, text]) => `${name}="${escapeLabel(text)}"`);
  return `${prefixName(family.name)}${suffix ?? ''}{${pairs.join(',')}} ${formatNumber(value)}\n`;
}

function prefixName(name: string): string {
  return `gobonnie_${name}`;
}

function escapeLabel(text: string): string {
  return sanitize(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}

function directorySamples({ label, directory, completeRuns, reports }: MeasuredDirectory): readonly Sample[] {
  const [latest] = reports.toSorted((one, other) => Date.parse(other.startedAt) - Date.parse(one.startedAt));
  const samples = [
    ...groupByPhase(completeRuns).flatMap(metricSamples),
    gaugeSample('runs', 'Number of complete runs.', completeRuns.length),
  ];
  if (latest) samples.push(...reportSamples(latest));
  const directoryLabels: Labels = directory === null ? { label } : { label, directory };
  return samples.map((sample) => ({ ...sample, labels: { ...directoryLabels, ...sample.labels } }));
}

/** Returns every metric of a phase as the mean of its runs. */
function metricSamples(rows: PhaseRows): readonly Sample[] {
  const labels = { phase: rows[0].phase };
  const samples = summarizeMetrics(rows).map((summary) => toSample(summary, labels));
  const distribution = samples.find(({ family }) => family.type === 'summary');
  return distribution ? [...samples, ...summaryTotals(rows, distribution.family, labels)] : samples;
}

function toSample({ metric, unit, statistics }: MetricSummary, labels: Labels): Sample {
  const { quantity, quantile } = metric;
  const { name, divisor } = unitDefinitions[unit].base;
  return {
    family: {
      name: [quantity.name, name].filter(Boolean).join('_'),
      help: `${capitalize(quantity.title)}, mean of the runs.`,
      type: quantile === null ? 'gauge' : 'summary',
    },
    labels: quantile === null ? labels : { ...labels, quantile: String(quantile) },
    value: statistics.mean / divisor,
  };
}

/** Returns the number of operations in all runs, and the sum of their latencies. */
function summaryTotals(rows: PhaseRows, family: MetricFamily, labels: Labels): readonly Sample[] {
  const distributions = rows.flatMap(({ latencyNs: { mean }, operations }) =>
    mean === undefined || operations === null ? [] : [{ mean, operations }],
  );
  if (distributions.length === 0) return [];
  const seconds = sum(distributions.map(({ mean, operations }) => (mean / NS_PER_SECOND) * operations));
  const count = sum(distributions.map(({ operations }) => operations));
  return [
    { family, suffix: '_sum', labels, value: seconds },
    { family, suffix: '_count', labels, value: count },
  ];
}

/** Returns the start and the place of the measurement, and its outcome. */
function reportSamples(report: Report): readonly Sample[] {
  const { version, startedAt, target, outcome, warnings, expectations = [] } = report;
  const targetLabels = { filesystem: target.filesystem ?? '', device: target.device ?? '' };
  const startSeconds = Date.parse(startedAt) / MS_PER_SECOND;
  return [
    gaugeSample('info', 'Version, filesystem and device; always 1.', 1, { version, ...targetLabels }),
    gaugeSample('start_time_seconds', 'Start of the measurement, in seconds since 1970.', startSeconds),
    gaugeSample(
      'success',
      '1 if the measurement completed, 0 if not.',
      Number(outcome.state === 'completed'),
    ),
    ...warnings.map(({ code, phase }) =>
      gaugeSample('warning', 'A warning of the report; always 1.', 1, { code, phase: phase ?? '' }),
    ),
    ...expectations.map(({ condition, passed }) => {
      const help = '1 if the condition of --expect holds, 0 if not.';
      return gaugeSample('expectation_met', help, Number(passed), { expectation: condition });
    }),
  ];
}

function gaugeSample(name: string, help: string, value: number, labels: Labels = {}): Sample {
  return { family: { name, help, type: 'gauge' }, labels, value };
}

function capitalize(title: string): string {
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/** Formats infinity, which a sum may reach, as Go does. */
function formatNumber(value: number): string {
  return Number.isFinite(value) ? String(value) : '+Inf';
}
