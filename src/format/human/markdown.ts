import { formatAmount } from '../../report/amount.js';
import { type MetricSummary, metrics, rateMetric, summarizeMetrics } from '../../report/metrics.js';
import {
  findProvenance,
  groupByStep,
  programName,
  type Results,
  splitByMachine,
} from '../../report/results.js';
import { runsToShow } from '../../report/runs.js';
import { isTellingInterval } from '../../report/statistics/statistics.js';
import { sanitize } from '../../text/escape.js';
import { summarizeWarnings } from '../../warnings/summary.js';
import { reportMetadata } from '../data/report-metadata.js';
import { reportVerdicts } from './answer.js';
import { type ComparisonDocument, createComparisonFormats } from './commands/comparison-format.js';
import { devWorkloads, WORKLOAD_COLUMNS } from './commands/dev-text.js';
import { warningText } from './sentences.js';
import { PART_INDENT, rateTexts, type StepRow, stepTableRows } from './step-table.js';
import { type Column, escapeMarkdown, markdownTable, usedColumns } from './table.js';

/** Renders a section for each machine. A comparison comes first, because people read its conclusion. */
export function markdownText(results: readonly Results[], document?: ComparisonDocument): string {
  const sections = splitByMachine(results).map(machineSection);
  if (document) sections.unshift(comparisonSection(document));
  return sections.join('\n');
}

/** Renders a comparison under a heading. */
export function comparisonSection(document: ComparisonDocument): string {
  const { markdown } = createComparisonFormats({}, document);
  return `### gobonnie ${document.winners ? 'ab' : 'compare'}\n\n${markdown(document.comparisons)}`;
}

function machineSection(results: Results): string {
  const { report } = results;
  const { program, label } = findProvenance(results);
  const by = programName(program);
  const metadata = report ? reportMetadata(report) : [];
  const workloads = report ? devWorkloads(report) : [];
  const verdicts = report ? reportVerdicts(report) : [];
  const warnings = report ? summarizeWarnings(report).map(warningText) : [];
  const toList = (lines: readonly string[]) => lines.map((line) => `- ${toMarkdown(line)}`);
  const blocks = [
    [`### ${toMarkdown(label === '' ? by : `${label}: ${by}`)}`],
    workloads.length > 0 ? markdownTable(WORKLOAD_COLUMNS, workloads) : [],
    toList(verdicts),
    [metadata.map(({ name, value }) => `${name} ${toMarkdown(value)}`).join(', ')],
    metricTable(results),
    toList(warnings),
  ];
  return blocks
    .map((lines) => lines.join('\n'))
    .filter((block) => block !== '')
    .map((block) => `${block}\n`)
    .join('\n');
}

type MetricRow = ReturnType<typeof toMetricRow>;

const METRIC_COLUMNS: readonly Column<MetricRow>[] = metrics
  .filter(({ isBrief }) => isBrief)
  .flatMap((metric) => {
    const cellOf =
      (format: (summary: MetricSummary) => string) =>
      ({ summaries }: MetricRow) => {
        const summary = summaries.find((one) => one.metric === metric);
        return summary ? format(summary) : '';
      };
    const value =
      metric === rateMetric
        ? ({ rate }: MetricRow) => rate
        : cellOf((summary) => formatAmount(summary.value, summary.unit));
    const interval = cellOf(({ spread: { confidence95, min, max }, unit }) => {
      if (!confidence95) return '';
      const isTelling = isTellingInterval(confidence95);
      const { low, high } = isTelling ? confidence95 : { low: min, high: max };
      return `${isTelling ? '' : 'varied: '}${formatAmount(low, unit)} to ${formatAmount(high, unit)}`;
    });
    return [
      { title: metric.name || 'rate', value },
      { title: '95 % interval', value: metric.role === 'gating' ? interval : () => '' },
    ];
  });

/** Has a column for each known metric and, if the metric gets a verdict, for its confidence interval. */
function metricTable(results: Results): readonly string[] {
  const { report } = results;
  const rows = report?.options.steps
    ? stepTableRows(report)
        .map(toMetricRow)
        .filter(({ summaries }) => summaries.length > 0)
    : groupByStep(runsToShow(results.runs)).map((group) =>
        toMetricRow({ name: group[0].title, part: null, rows: group }),
      );
  const name: Column<MetricRow> = { title: '', value: ({ title }) => sanitize(title) };
  return rows.length === 0 ? [] : markdownTable([name, ...usedColumns(METRIC_COLUMNS, rows)], rows);
}

/** A part of a step has latencies, and rates unless it is the syncs. */
function toMetricRow({ name, part, rows }: StepRow) {
  const [first, ...others] = rows;
  const summaries = first ? summarizeMetrics([first, ...others]) : [];
  /** The rate as in all tables: a timed rate of a target in RAM, or why there is none. */
  const rate = part === 'sync' || rows.length === 0 ? '' : rateTexts(rows).mean;
  if (part === null) return { title: name, rate, summaries };
  const isOfPart = ({ metric: { quantity } }: MetricSummary) =>
    quantity === 'latency' || (quantity === 'rate' && part !== 'sync');
  return { title: PART_INDENT + name, rate, summaries: summaries.filter(isOfPart) };
}

function toMarkdown(text: string): string {
  return escapeMarkdown(sanitize(text));
}
