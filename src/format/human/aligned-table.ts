import { formatAmount } from '../../report/amount.js';
import { averageMetric, summarizeMetric } from '../../report/metric-summary.js';
import { rateMetric } from '../../report/metrics.js';
import type { StepValues } from '../../report/results.js';
import { computeMarginPercent, type Statistics } from '../../report/statistics/statistics.js';
import { formatNs } from '../../text/units.js';
import { displayWidth } from '../../text/width.js';
import { type Screen, transliterate } from './screen.js';

export const INDENT = '  ';

type Alignment = 'left' | 'right';

type Rows = readonly (readonly string[])[];

export interface Column<Row> {
  readonly head: string;
  /** The least width. Rows that are printed one by one need it. */
  readonly width?: number;
  readonly cell: (row: Row) => string;
}

/** Returns aligned columns, two spaces apart. By default, the first is aligned left and the others right. */
export function alignedTable(rows: Rows, alignments = defaultAlignments(rows)): readonly string[] {
  const widths = alignments.map((_, column) =>
    Math.max(...rows.map((row) => displayWidth(row[column] ?? ''))),
  );
  return rows.map((row) =>
    alignments
      .map((alignment, column) => {
        const cell = row[column] ?? '';
        const gap = ' '.repeat((widths[column] ?? 0) - displayWidth(cell));
        return alignment === 'left' ? cell + gap : gap + cell;
      })
      .join('  ')
      .trimEnd(),
  );
}

/** Returns an indented table of as many columns as fit in the window, at least one. Omits the last columns first. */
export function fittingTable<Row>(
  corner: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  getName: (row: Row) => string,
  screen: Screen,
): readonly string[] {
  const candidates = columns.map((_, omitted) => {
    const shown = columns.slice(0, columns.length - omitted);
    return alignedTable([
      [corner, ...shown.map(({ head, width = 0 }) => screen.paint.faint(head.padStart(width)))],
      ...rows.map((row) => [getName(row), ...shown.map(({ cell }) => transliterate(cell(row), screen))]),
    ]).map((line) => INDENT + line);
  });
  return firstFitting(candidates, screen.columns);
}

/** Returns the first candidate whose lines all fit in the window. If none fits, returns the last one. */
export function firstFitting(candidates: readonly (readonly string[])[], windowColumns: number) {
  const fits = (lines: readonly string[]) => lines.every((line) => displayWidth(line) < windowColumns);
  return candidates.find(fits) ?? candidates.at(-1) ?? [];
}

/** Renders rows, the head first, as a Markdown table. */
export function markdownTable(all: Rows, alignments = defaultAlignments(all)): readonly string[] {
  const [head = [], ...rows] = all;
  const rule = alignments.map((alignment) => (alignment === 'left' ? '---' : '--:'));
  return [head.map(escapeMarkdown), rule, ...rows.map((row) => row.map(escapeMarkdown))].map(
    (cells) => `| ${cells.join(' | ')} |`,
  );
}

function defaultAlignments([head = []]: Rows): readonly Alignment[] {
  return head.map((_, at) => (at === 0 ? 'left' : 'right'));
}

/** Markdown's special characters, and the colons of links and emoji. */
const MARKDOWN_CHARACTERS = /[\\`*_[\]<>|~&@#$]|:(?=\/\/)|(?<!\d):(?=[\w+-]+:)/g;

export function escapeMarkdown(text: string): string {
  return text.replace(MARKDOWN_CHARACTERS, (char) => `&#${char.charCodeAt(0)};`);
}

/** Returns the texts of the disk's rate over the runs or, for a target in RAM, of the timed rate. */
export function rateTexts(rows: readonly StepValues[], isInMemory: boolean) {
  const rate = summarizeMetric(rows, rateMetric, isInMemory);
  if (!rate?.isFromDevice) return { mean: 'unknown', margin: '', range: '' };
  const { runs, mean, min, max } = rate.statistics;
  const show = (perSecond: number) => formatAmount(perSecond, rate.unit);
  const range = runs < 2 ? '' : `${show(min)} to ${show(max)}`;
  return { mean: show(mean), margin: marginText(rate.statistics), range };
}

/** Returns how far the ends of the confidence interval are from the mean at most, in percent of the mean. */
export function marginText(statistics: Pick<Statistics, 'mean' | 'confidence95'>): string {
  const percent = computeMarginPercent(statistics);
  return percent === null ? '' : `± ${percent.toFixed(0)} %`;
}

/** Returns the percentile's mean over the runs. */
export function latencyCell(rows: readonly StepValues[], name: keyof StepValues['latencyNs']): string {
  const ns = averageMetric(rows, name);
  return ns === null ? '' : formatNs(ns);
}
