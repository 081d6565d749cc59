import { unitDefinitions } from '../../report/amount.js';
import { type PhaseRows, groupByPhase, type Results } from '../../report/results.js';
import type { Report } from '../../report/schema/report.js';
import { sum } from '../../report/statistics/statistics.js';
import { sanitize } from '../../text/escape.js';
import { groupBy } from '../../text/groups.js';
import { MS_PER_SECOND, NS_PER_SECOND } from '../../text/units.js';
import { type MeasuredDirectory, measuredDirectories, type Summary, summariesOf } from './summary.js';

interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'summary';
}

type Labels = Readonly<Record<string, string>>;

/** One line of the exposition. */
interface Sample {
  readonly family: Family;
  /** Of the totals of a summary. */
  readonly suffix?: '_sum' | '_count';
  readonly labels: Labels;
  readonly value: number;
}

/** Prometheus' text format for node_exporter's textfile collector, which refuses timestamps. */
export function prometheusText(results: readonly Results[]): string {
  const samples = measuredDirectories(results).flatMap(samplesOf);
  return groupBy(samples, ({ family }) => family.name)
    .map((group) => headOf(group[0]) + [...new Set(group.map(lineOf))].join(''))
    .join('');
}

function headOf({ family: { name, help, type } }: Sample): string {
  return `# HELP ${nameOf(name)} ${help}\n# TYPE ${nameOf(name)} ${type}\n`;
}

function lineOf({ family, suffix, labels, value }: Sample): string {
  const pairs = Object.entries(labels).map(([name, text]) => `${name}="${escaped(text)}"`);
  return `${nameOf(family.name)}${suffix ?? ''}{${pairs.join(',')}} ${numberText(value)}\n`;
}

function nameOf(name: string): string {
  return `gobonnie_${name}`;
}

function escaped(text: string): string {
  return sanitize(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}

function samplesOf({ label, directory, completeRuns, reports }: MeasuredDirectory): readonly Sample[] {
  const [latest] = reports.toSorted((one, other) => Date.parse(other.startedAt) - Date.parse(one.startedAt));
  const samples = [
    ...groupByPhase(completeRuns).flatMap(figureSamples),
    gauge('runs', 'Number of complete runs.', completeRuns.length),
    ...(latest ? reportSamples(latest) : []),
  ];
  const place: Labels = directory === null ? { label } : { label, directory };
  return samples.map((sample) => ({ ...sample, labels: { ...place, ...sample.labels } }));
}

/** Every metric of a phase: the mean of the runs. */
function figureSamples(rows: PhaseRows): readonly Sample[] {
  const labels = { phase: rows[0].phase };
  const samples = summariesOf(rows).map((summary) => figureSample(summary, labels));
  const distribution = samples.find(({ family }) => family.type === 'summary');
  return [...samples, ...(distribution ? totals(rows, distribution.family, labels) : [])];
}

function figureSample({ metric, unit, statistics }: Summary, labels: Labels): Sample {
  const { quantity, quantile } = metric;
  const { name, divisor } = unitDefinitions[unit].base;
  return {
    family: {
      name: [quantity.name, name].filter(Boolean).join('_'),
      help: `${capitalized(quantity.title)}, mean of the runs.`,
      type: quantile === null ? 'gauge' : 'summary',
    },
    labels: quantile === null ? labels : { ...labels, quantile: String(quantile) },
    value: statistics.mean / divisor,
  };
}

/** The number of operations in all runs, and the sum of their latencies. */
function totals(rows: PhaseRows, family: Family, labels: Labels): readonly Sample[] {
  const known = rows.flatMap(({ latencyNs: { mean }, operations }) =>
    mean === undefined || operations === null ? [] : [{ mean, operations }],
  );
  if (known.length === 0) return [];
  const seconds = sum(known.map(({ mean, operations }) => (mean / NS_PER_SECOND) * operations));
  const count = sum(known.map(({ operations }) => operations));
  return [
    { family, suffix: '_sum', labels, value: seconds },
    { family, suffix: '_count', labels, value: count },
  ];
}

/** When and where a report was measured, and its outcome. */
function reportSamples(report: Report): readonly Sample[] {
  const { version, startedAt, target, outcome, warnings, expectations = [] } = report;
  const where = { filesystem: target.filesystem ?? '', device: target.device ?? '' };
  const startSeconds = Date.parse(startedAt) / MS_PER_SECOND;
  return [
    gauge('info', 'Version, filesystem and device; always 1.', 1, { version, ...where }),
    gauge('start_time_seconds', 'Start of the measurement, in seconds since 1970.', startSeconds),
    gauge('success', '1 if the measurement completed, else 0.', Number(outcome.state === 'completed')),
    ...warnings.map(({ code, phase }) =>
      gauge('warning', 'A warning of the report; always 1.', 1, { code, phase: phase ?? '' }),
    ),
    ...expectations.map(({ condition, passed }) => {
      const help = '1 if the condition of --expect holds, else 0.';
      return gauge('expectation_met', help, Number(passed), { expectation: condition });
    }),
  ];
}

function gauge(name: string, help: string, value: number, labels: Labels = {}): Sample {
  return { family: { name, help, type: 'gauge' }, labels, value };
}

function capitalized(title: string): string {
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/** Go's spelling of infinity, which a sum may reach. */
function numberText(value: number): string {
  return Number.isFinite(value) ? String(value) : '+Inf';
}
