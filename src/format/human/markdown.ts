import { formatAmount } from '../../report/amount.js';
import { type MetricSummary, summarizeMetrics } from '../../report/metric-summary.js';
import { metrics } from '../../report/metrics.js';
import {
  findProvenance,
  groupByStep,
  programName,
  type Results,
  splitByMachine,
} from '../../report/results.js';
import { runsToShow } from '../../report/runs.js';
import { sanitize } from '../../text/escape.js';
import { reportMetadata } from '../data/report-metadata.js';
import { escapeMarkdown, markdownTable } from './aligned-table.js';
import { type ComparisonDocument, createComparisonFormats } from './comparison-format.js';
import { statusLines } from './sentences.js';

/** Renders a section for each machine. A comparison comes first, because people read its conclusion. */
export function markdownText(results: readonly Results[], document?: ComparisonDocument): string {
  const sections = splitByMachine(results).map(machineSection);
  if (document) sections.unshift(comparisonSection('ab', document));
  return sections.join('\n');
}

/** Renders the comparison of a command under a heading. */
export function comparisonSection(
  command: 'compare' | 'ab',
  document: ComparisonDocument,
  all = false,
): string {
  const { markdown } = createComparisonFormats({ all }, document);
  return `### gobonnie ${command}\n\n${markdown(document.comparisons)}`;
}

function machineSection(results: Results): string {
  const { report } = results;
  const { program, label } = findProvenance(results);
  const by = programName(program);
  const metadata = report ? reportMetadata(report) : [];
  const statuses = report ? statusLines(report) : [];
  const blocks = [
    [`### ${toMarkdown(label === '' ? by : `${label}: ${by}`)}`],
    [metadata.map(({ name, value }) => `${name} ${toMarkdown(value)}`).join(', ')],
    metricTable(results),
    statuses.map((line) => `- ${toMarkdown(line)}`),
  ];
  return blocks
    .map((lines) => lines.join('\n'))
    .filter((block) => block !== '')
    .map((block) => `${block}\n`)
    .join('\n');
}

/** A column for each metric and, if the metric gets a verdict, for its confidence interval. */
const COLUMNS = metrics
  .filter(({ isBrief }) => isBrief)
  .flatMap((metric) => {
    const meanText = ({ statistics, unit }: MetricSummary) => formatAmount(statistics.mean, unit);
    const intervalText = ({ statistics: { confidence95: interval }, unit }: MetricSummary) =>
      interval ? `${formatAmount(interval.low, unit)} to ${formatAmount(interval.high, unit)}` : '';
    const mean = { metric, head: metric.name || 'rate', cell: meanText };
    return metric.role === 'gating' ? [mean, { metric, head: '95 % interval', cell: intervalText }] : [mean];
  });

function metricTable(results: Results): readonly string[] {
  const rows = groupByStep(runsToShow(results.runs)).map((phase) => {
    const summaries = summarizeMetrics(phase);
    const cells = COLUMNS.map(({ metric, cell }) => {
      const summary = summaries.find((one) => one.metric === metric);
      return summary ? cell(summary) : '';
    });
    return [sanitize(phase[0].title), ...cells];
  });
  if (rows.length === 0) return [];
  const isShown = (_: unknown, at: number) => at === 0 || rows.some((row) => row[at] !== '');
  const head = ['', ...COLUMNS.map((column) => column.head)].filter(isShown);
  return markdownTable([head, ...rows.map((row) => row.filter(isShown))]);
}

function toMarkdown(text: string): string {
  return escapeMarkdown(sanitize(text));
}
