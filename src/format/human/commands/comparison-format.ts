import { labelChange } from '../../../compare/comparison.js';
import type {
  CommandComparison,
  Comparison,
  EnvironmentDifference,
  MetricChange,
  MetricWinner,
} from '../../../compare/comparison-schema.js';
import { formatAmount } from '../../../report/amount.js';
import { isTellingInterval } from '../../../report/statistics/statistics.js';
import { sanitize, stringifySafely } from '../../../text/escape.js';
import { signedDecimal } from '../../../text/units.js';
import { ELLIPSIS, truncateStart } from '../../../text/width.js';
import { type Paint, PLAIN_PAINT } from '../screen.js';
import { type Column, escapeMarkdown, fitsWindow, markdownTable, textTable } from '../table.js';
import { describeCommand } from './command-answer.js';
import { describeComparison, describeWinners } from './conclusion.js';

/** Renders comparisons with the same baseline side by side. */
export type ComparisonFormatter = (comparisons: readonly Comparison[]) => string;

/** Comparisons. `ab` adds the best directory for each metric, and how a command was run. */
export interface ComparisonDocument {
  readonly comparisons: readonly Comparison[];
  readonly winners?: readonly MetricWinner[] | undefined;
  readonly command?: CommandComparison | undefined;
  /** True if `ab` did not reach its end. */
  readonly isStopped?: boolean;
  /** True if an inconclusive result is a failure. */
  readonly strict?: boolean;
  /** True to also show metrics without a verdict. The comparison of a command always shows them. */
  readonly all?: boolean;
}

/** In narrow windows, titles are shorter: two sides and their change fit in 80 columns, one in 40. */
const NARROW_COLUMNS = 56;
const MAX_TITLE_COLUMNS = 16;
const MAX_NARROW_TITLE_COLUMNS = 10;

/**
 * Returns the formats of `compare` or, with the winner of each metric, of `ab`. Only text has colours and fits the
 * terminal's width.
 */
export function createComparisonFormats(
  { paint = PLAIN_PAINT, columns = Infinity } = {},
  {
    winners,
    command,
    isStopped = false,
    all: isRequested = false,
  }: Omit<ComparisonDocument, 'comparisons'> = {},
) {
  const screen = { paint, columns };
  const all = isRequested || command !== undefined;
  const sentences = (comparisons: readonly Comparison[]) => {
    const conclusions = concludeComparisons({ comparisons, winners, command, isStopped });
    return [...differenceTexts(comparisons), ...conclusions].map(sanitize);
  };
  const maxTitleColumns = columns < NARROW_COLUMNS ? MAX_NARROW_TITLE_COLUMNS : MAX_TITLE_COLUMNS;
  /** Returns one table if it fits, otherwise a table for each comparison. A single comparison omits more columns. */
  const fittingLines = (comparisons: readonly Comparison[]): readonly string[] => {
    const untruncated = createColumns(comparisons, paint);
    const titles = untruncated.map(({ title }) => title);
    const table = untruncated.map((column) => {
      return { ...column, title: truncateTitle(column.title, titles, maxTitleColumns) };
    });
    const lines = textTable(table, metricNames(comparisons, all), screen, '');
    const isSplit = comparisons.length > 1 && !fitsWindow(lines, screen);
    return isSplit ? comparisons.flatMap((one) => fittingLines([one])) : [...lines, ''];
  };
  return {
    text: (named: readonly Comparison[]) => {
      const comparisons = winners ? named : withShortNames(named);
      return `${[...fittingLines(comparisons), ...sentences(comparisons)].join('\n')}\n`;
    },
    json: (comparisons: readonly Comparison[]) => {
      const schema = winners ? 'gobonnie-ab/1' : 'gobonnie-comparison/1';
      return stringifySafely({ schema, comparisons, winners, command });
    },
    markdown: (named: readonly Comparison[]) => {
      const comparisons = winners ? named : withShortNames(named);
      const table = markdownTable(createColumns(comparisons, PLAIN_PAINT), metricNames(comparisons, all));
      const items = sentences(comparisons).map((line) => `- ${escapeMarkdown(line)}`);
      return `${[...table, '', ...items].join('\n')}\n`;
    },
  };
}

/** Returns the sentences that sum up `compare`, `ab`, or `ab` with a command. */
export function concludeComparisons({ comparisons, winners, command, isStopped }: ComparisonDocument) {
  if (command) return describeCommand(comparisons, command, isStopped);
  return winners
    ? [describeWinners(comparisons, winners, isStopped)]
    : comparisons.flatMap(describeComparison);
}

export const comparisonFormats = createComparisonFormats();

/** Leaves out the directory that the names of all files share. */
function withShortNames(comparisons: readonly Comparison[]): readonly Comparison[] {
  const [first = '', ...others] = comparisons.flatMap(({ before, after }) => [before, after]);
  const parts = first.split('/').slice(0, -1);
  const directories = parts.map((_, at) => `${parts.slice(0, at + 1).join('/')}/`);
  const shared =
    directories.findLast((directory) => others.every((name) => name.startsWith(directory))) ?? '';
  const shorten = (name: string) => (name.startsWith(shared) ? name.slice(shared.length) : name);
  return comparisons.map((comparison) => ({
    ...comparison,
    before: shorten(comparison.before),
    after: shorten(comparison.after),
    timedOnly: comparison.timedOnly.map(({ name, reason }) => ({ name: shorten(name), reason })),
  }));
}

/** Truncates the start of a title, and the end that it shares with titles whose truncated starts would be equal. */
function truncateTitle(title: string, titles: readonly string[], maxColumns: number): string {
  const short = truncateStart(title, maxColumns);
  const alike = titles.filter((other) => other !== title && truncateStart(other, maxColumns) === short);
  let end = title.length;
  while (end > 0 && alike.every((other) => other.endsWith(title.slice(end - 1)))) end -= 1;
  return end === 0 ? short : `${truncateStart(title.slice(0, end), maxColumns - ELLIPSIS.length)}${ELLIPSIS}`;
}

function metricNames(comparisons: readonly Comparison[], all: boolean): readonly string[] {
  const changes = comparisons.flatMap((comparison) => comparison.changes);
  return [...new Set(changes.filter(({ role }) => all || role === 'gating').map(({ name }) => name))];
}

/** Returns the columns of the metrics: the value before, then the value, change and verdict in each comparison. */
function createColumns(comparisons: readonly Comparison[], paint: Paint): readonly Column<string>[] {
  const changes = comparisons.flatMap((comparison) => comparison.changes);
  const before = changeCell(changes, ({ before, unit }) => formatAmount(before.mean, unit));
  const isSingle = comparisons.length === 1;
  return [
    { title: '', value: sanitize },
    { title: sanitize(comparisons[0]?.before ?? ''), rank: isSingle ? 2 : 0, value: before },
    ...comparisons.flatMap((comparison) => comparisonColumns(comparison, isSingle, paint)),
  ];
}

function comparisonColumns(
  comparison: Comparison,
  isSingle: boolean,
  { good, bad, caution }: Paint,
): readonly Column<string>[] {
  const { after, changes } = comparison;
  const colors = { better: good, worse: bad, same: String, 'not-worse': String, inconclusive: caution };
  const afterText = ({ after, unit }: MetricChange) => formatAmount(after.mean, unit);
  const verdictText = (change: MetricChange) => {
    const label = labelChange(change, comparison);
    return label === null ? '' : colors[label](label.replace('-', ' '));
  };
  return [
    { title: sanitize(after), rank: 0, value: changeCell(changes, afterText) },
    { title: 'change', rank: isSingle ? 1 : 0, value: changeCell(changes, changeText) },
    { title: 'range', align: 'left', rank: 3, value: changeCell(changes, rangeText) },
    { title: 'verdict', align: 'left', rank: 0, value: changeCell(changes, verdictText) },
  ];
}

/** Returns a function that renders the change of the metric with a name. */
function changeCell(changes: readonly MetricChange[], render: (change: MetricChange) => string) {
  return (name: string) => {
    const change = changes.find((one) => one.name === name);
    return change ? render(change) : '';
  };
}

export function changeText({ isFromDevice, changePercent, changePercentagePoints }: MetricChange): string {
  if (changePercentagePoints !== null) return `${signedDecimal(changePercentagePoints)} points`;
  if (changePercent === null) return 'from 0';
  return isFromDevice || changePercent === 0 ? `${signedDecimal(changePercent)} %` : '?';
}

export function rangeText({ intervalPercent }: MetricChange): string {
  if (intervalPercent === null) return '';
  const { low, high } = intervalPercent;
  const isTelling = isTellingInterval({ low: 100 + low, high: 100 + high }) && low < high;
  return isTelling ? `${signedDecimal(low)} to ${signedDecimal(high)} %` : '';
}

/** Describes the differences that prevent a verdict, then the other ones. */
export function differenceTexts(comparisons: readonly Comparison[]): readonly string[] {
  const texts = comparisons.flatMap(({ before, after, differences, environmentNotes, timedOnly }) => {
    const describeDifference = (one: EnvironmentDifference) =>
      one.within === undefined
        ? `${one.name} is ${one.before} in ${before} and ${one.after} in ${after}`
        : `${one.name} is ${one.before} and ${one.after} within ${one.within}`;
    return [
      ...differences.map((one) => `difference: ${describeDifference(one)}`),
      ...environmentNotes.map((one) => `note: ${describeDifference(one)}`),
      ...timedOnly.map(({ name, reason }) => `note: ${name} is compared as timed: ${reason}`),
    ];
  });
  // Every comparison repeats the notes about the shared baseline.
  return [...new Set(texts)];
}
