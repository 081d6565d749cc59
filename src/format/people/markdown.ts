import { formatAmount } from '../../report/amount.js';
import { type Metric, metrics } from '../../report/metrics.js';
import { splitByMachine, groupByPhase, findProvenance, type Results } from '../../report/results.js';
import type { Report } from '../../report/schema/report.js';
import { sanitize } from '../../text/escape.js';
import { circumstancesOf } from '../programs/circumstances.js';
import { intervalOf, type Summary, shownRuns, summariesOf } from '../programs/summary.js';
import { expectationLine, outcomeText, warningText } from './sentences.js';
import { inMarkdown, markdownTable } from './table.js';

/** A section for each machine: a table of its figures, then verdicts and warnings. */
export function markdownText(results: readonly Results[]): string {
  return splitByMachine(results).map(sectionOf).join('\n');
}

function sectionOf(results: Results): string {
  const { report } = results;
  const blocks = [
    [headingOf(results)],
    report ? [circumstancesLine(report)] : [],
    tableOf(results),
    report ? remarksOf(report) : [],
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

function headingOf(results: Results): string {
  const { program, label } = findProvenance(results);
  const by = program.version === null ? program.name : `${program.name} ${program.version}`;
  return `### ${inCell(label === '' ? by : `${label}: ${by}`)}`;
}

function circumstancesLine(report: Report): string {
  return circumstancesOf(report)
    .map(({ name, value }) => `${name} ${inCell(value)}`)
    .join(', ');
}

interface Column {
  readonly metric: Metric;
  readonly head: string;
  readonly cell: (summary: Summary) => string;
}

/** A figure and, if it is judged, its confidence interval. */
const COLUMNS = metrics
  .filter(({ isBrief }) => isBrief)
  .flatMap((metric): readonly Column[] => [
    { metric, head: metric.name || metric.title, cell: meanText },
    ...(metric.role === 'gating' ? [{ metric, head: '95 % interval', cell: intervalText }] : []),
  ]);

function meanText({ statistics, unit }: Summary): string {
  return formatAmount(statistics.mean, unit);
}

function intervalText({ statistics, unit }: Summary): string {
  const bounds = intervalOf(statistics);
  return bounds ? `${formatAmount(bounds.low, unit)} to ${formatAmount(bounds.high, unit)}` : '';
}

function tableOf(results: Results): readonly string[] {
  const rows = groupByPhase(shownRuns(results)).map((phase) => {
    const summaries = summariesOf(phase);
    const cellOf = ({ metric, cell }: Column) => {
      const summary = summaries.find((one) => one.metric === metric);
      return summary ? cell(summary) : '';
    };
    return [sanitize(phase[0].title), ...COLUMNS.map(cellOf)];
  });
  if (rows.length === 0) return [];
  const isShown = (_: unknown, at: number) => at === 0 || rows.some((row) => row[at] !== '');
  const head = ['', ...COLUMNS.map((column) => column.head)].filter(isShown);
  return markdownTable(
    [head, ...rows.map((row) => row.filter(isShown))],
    head.map((_, at) => (at === 0 ? 'left' : 'right')),
  );
}

/** Why it is incomplete, the verdicts of --expect, and the warnings. */
function remarksOf({ outcome, expectations = [], warnings }: Report): readonly string[] {
  const end = outcomeText(outcome);
  return [
    ...(end === null ? [] : [`not complete: ${end}`]),
    ...expectations.map(expectationLine),
    ...warnings.map(warningText),
  ].map((line) => `- ${inCell(line)}`);
}

function inCell(text: string): string {
  return inMarkdown(sanitize(text));
}
