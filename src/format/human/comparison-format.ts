import { labelChange } from '../../compare/comparison.js';
import type {
  CommandComparison,
  Comparison,
  EnvironmentDifference,
  MetricChange,
  MetricWinner,
} from '../../compare/comparison-schema.js';
import { formatAmount } from '../../report/amount.js';
import { sanitize, stringifySafely } from '../../text/escape.js';
import { signedDecimal } from '../../text/units.js';
import { truncateStart } from '../../text/width.js';
import { alignedTable, escapeMarkdown, firstFitting, markdownTable } from './aligned-table.js';
import { describeCommand } from './command-answer.js';
import { describeComparison, describeWinners, WIDEST_RATIO } from './conclusion.js';
import { type Paint, PLAIN_PAINT } from './screen.js';

/** Renders comparisons with the same baseline side by side. */
export type ComparisonFormatter = (comparisons: readonly Comparison[]) => string;

/** Comparisons. `ab` adds the best directory for each metric, and how a command was run. */
export interface ComparisonDocument {
  readonly comparisons: readonly Comparison[];
  readonly winners?: readonly MetricWinner[] | undefined;
  readonly command?: CommandComparison | undefined;
}

/** Maximum width of a head at each omission level: two heads and their changes fit in 80 columns, one in 40. */
const MAX_HEAD_COLUMNS = [16, 16, 10, 10];

/**
 * Returns the formats of `compare` or, with the winner of each metric, of `ab`. Only text has colours and fits the
 * terminal's width. `all`: also show metrics that get no verdict.
 */
export function createComparisonFormats(
  { paint = PLAIN_PAINT, columns: windowColumns = Infinity, all = false } = {},
  { winners, command }: Omit<ComparisonDocument, 'comparisons'> = {},
) {
  const sentences = (comparisons: readonly Comparison[]) => {
    const conclusions = concludeComparisons({ comparisons, winners, command });
    return [...differenceTexts(comparisons), ...conclusions].map(sanitize);
  };
  /** Returns one table if it fits, otherwise a table for each comparison. A single comparison omits more columns. */
  const fittingLines = (comparisons: readonly Comparison[]): readonly string[] => {
    const linesAt = (omissionLevel: number) => {
      const { head, rows, alignments } = createTable(comparisons, paint, all, omissionLevel);
      const heads = head.map((name) => truncateStart(name, MAX_HEAD_COLUMNS[omissionLevel] ?? Infinity));
      return [...alignedTable([heads, ...rows], alignments), ''];
    };
    const candidates =
      comparisons.length > 1
        ? [linesAt(0), linesAt(1), comparisons.flatMap((one) => fittingLines([one]))]
        : MAX_HEAD_COLUMNS.map((_, omissionLevel) => linesAt(omissionLevel));
    return firstFitting(candidates, windowColumns);
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
      const { head, rows, alignments } = createTable(comparisons, PLAIN_PAINT, all, 0);
      const table = markdownTable([head, ...rows], alignments);
      const items = sentences(comparisons).map((line) => `- ${escapeMarkdown(line)}`);
      return `${[...table, '', ...items].join('\n')}\n`;
    },
  };
}

/** Returns the sentences that sum up `compare`, `ab`, or `ab` with a command. */
export function concludeComparisons({ comparisons, winners, command }: ComparisonDocument) {
  if (command) return describeCommand(comparisons, command);
  return winners ? [describeWinners(comparisons, winners)] : comparisons.flatMap(describeComparison);
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

/** Returns a row for each metric: the value before, then the value, change and verdict in each comparison. */
function createTable(comparisons: readonly Comparison[], paint: Paint, all: boolean, omissionLevel: number) {
  const beforeHead = comparisons[0]?.before ?? '';
  const changes = comparisons.flatMap((comparison) => comparison.changes);
  const names = new Set(changes.filter(({ role }) => all || role === 'gating').map(({ name }) => name));
  const columns = [
    { head: '', alignment: 'left', cell: sanitize, omittedFromLevel: Infinity } as const,
    changeColumn(beforeHead, 'right', changes, ({ before, unit }) => formatAmount(before.mean, unit), 2),
    ...comparisons.flatMap((comparison) => comparisonColumns(comparison, paint)),
  ].filter(({ omittedFromLevel }) => omissionLevel < omittedFromLevel);
  return {
    head: columns.map(({ head }) => sanitize(head)),
    rows: [...names].map((name) => columns.map(({ cell }) => cell(name))),
    alignments: columns.map(({ alignment }) => alignment),
  };
}

function comparisonColumns(comparison: Comparison, { good, bad, caution }: Paint) {
  const { after, changes } = comparison;
  const colors = { better: good, worse: bad, same: String, 'not-worse': String, inconclusive: caution };
  const verdictText = (change: MetricChange) => {
    const label = labelChange(change, comparison);
    return label === null ? '' : colors[label](label.replace('-', ' '));
  };
  return [
    changeColumn(after, 'right', changes, ({ after, unit }) => formatAmount(after.mean, unit)),
    changeColumn('change', 'right', changes, changeText, 3),
    changeColumn('range', 'left', changes, rangeText, 1),
    changeColumn('verdict', 'left', changes, verdictText),
  ];
}

function changeColumn(
  head: string,
  alignment: 'left' | 'right',
  changes: readonly MetricChange[],
  render: (change: MetricChange) => string,
  omittedFromLevel = Infinity,
) {
  const cell = (name: string) => {
    const change = changes.find((one) => one.name === name);
    return change ? render(change) : '';
  };
  return { head, alignment, cell, omittedFromLevel };
}

export function changeText({ isFromDevice, changePercent, changePercentagePoints }: MetricChange): string {
  if (changePercentagePoints !== null) return `${signedDecimal(changePercentagePoints)} points`;
  if (changePercent === null) return 'from 0';
  return isFromDevice || changePercent === 0 ? `${signedDecimal(changePercent)} %` : '?';
}

export function rangeText({ intervalPercent }: MetricChange): string {
  if (intervalPercent === null) return '';
  const { low, high } = intervalPercent;
  const isInformative = 100 + high <= (100 + low) * WIDEST_RATIO && low < high;
  return isInformative ? `${signedDecimal(low)} to ${signedDecimal(high)} %` : '';
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
