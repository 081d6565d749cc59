import { showAmount } from '../../report/amount.js';
import { type Metric, metrics } from '../../report/metrics.js';
import { byMachine, phasesOf, provenanceOf, type Results } from '../../report/results.js';
import type { Report } from '../../report/schema/report.js';
import { harmless } from '../../text/escape.js';
import { circumstancesOf } from '../programs/circumstances.js';
import { intervalOf, type Summary, shownRuns, summariesOf } from '../programs/summary.js';
import { expectationLine, outcomeText, warningText } from './sentences.js';
import { type Alignment, inMarkdown, markdownTable } from './table.js';

/** A section for each machine: a table of its figures, then verdicts and warnings. */
export function markdownText(results: readonly Results[]): string {
  return byMachine(results).map(sectionOf).join('\n');
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
  const { program, label } = provenanceOf(results);
  const by = program.version === null ? program.name : `${program.name} ${program.version}`;
  return `### ${inCell(label === '' ? by : `${label}: ${by}`)}`;
}

function circumstancesLine(report: Report): string {
  return circumstancesOf(report)
    .map(({ name, value }) => `${name} ${inCell(value)}`)
    .join(', ');
}

interface Column {
  readonly head: string;
  readonly alignment: Alignment;
  readonly cell: (summaries: readonly Summary[]) => string;
}

const COLUMNS: readonly Column[] = [
  { head: '', alignment: 'left', cell: ([first]) => harmless(first?.title ?? '') },
  ...metrics.filter(({ isBrief }) => isBrief).flatMap(columnsOf),
];

/** A figure and, if it is judged, its confidence interval. */
function columnsOf(metric: Metric): readonly Column[] {
  const summaryOf = (summaries: readonly Summary[]) => summaries.find((one) => one.metric === metric);
  const value: Column = {
    head: metric.name || metric.title,
    alignment: 'right',
    cell: (summaries) => {
      const summary = summaryOf(summaries);
      return summary ? showAmount(summary.statistics.mean, summary.unit) : '';
    },
  };
  if (metric.role !== 'judged') return [value];
  const interval: Column = {
    head: '95 % interval',
    alignment: 'right',
    cell: (summaries) => {
      const summary = summaryOf(summaries);
      const bounds = summary && intervalOf(summary.statistics);
      return bounds
        ? `${showAmount(bounds.low, summary.unit)} to ${showAmount(bounds.high, summary.unit)}`
        : '';
    },
  };
  return [value, interval];
}

function tableOf(results: Results): readonly string[] {
  const rows = phasesOf(shownRuns(results)).map(summariesOf);
  if (rows.length === 0) return [];
  const columns = COLUMNS.filter(({ cell }) => rows.some((row) => cell(row) !== ''));
  return markdownTable(
    [columns.map(({ head }) => head), ...rows.map((row) => columns.map(({ cell }) => cell(row)))],
    columns.map(({ alignment }) => alignment),
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
  return inMarkdown(harmless(text));
}
