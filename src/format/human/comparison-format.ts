import { type ChangeLabel, labelChange } from '../../compare/change-label.js';
import type { Comparison, EnvironmentDifference, MetricChange } from '../../compare/comparison-schema.js';
import { formatAmount } from '../../report/amount.js';
import { sanitize } from '../../text/escape.js';
import { type Alignment, type Table, type TableStyle, tableFormats } from './aligned-table.js';
import { describeComparison } from './conclusion.js';
import type { Paint } from './paint.js';
import { signedDecimal, signedWithUnit } from './percentages.js';

/** Renders comparisons with the same baseline side by side. */
export type ComparisonFormatter = (comparisons: readonly Comparison[]) => string;

export function createComparisonFormats(style: Partial<TableStyle> = {}) {
  return tableFormats<Parameters<ComparisonFormatter>>(
    {
      table: ([comparisons], style) => comparisonTable(comparisons, style),
      split: ([comparisons]) => comparisons.map((one) => [[one]]),
      sentences: ([comparisons]) =>
        [...differenceTexts(comparisons), ...comparisons.flatMap(describeComparison)].map(sanitize),
      document: ([comparisons]) => ({ schema: 'gobonnie-comparison/1', comparisons }),
    },
    style,
  );
}

export const comparisonFormats = createComparisonFormats();

interface Column {
  readonly head: string;
  readonly alignment: Alignment;
  readonly cell: (name: string) => string;
  /** The omission level from which the column is omitted. */
  readonly omittedFromLevel: number;
}

/** One row per metric: its value before, then its value, change and verdict in each comparison. */
export function comparisonTable(
  comparisons: readonly Comparison[],
  { paint, all, omissionLevel }: TableStyle,
): Table {
  const changes = comparisons
    .flatMap((comparison) => comparison.changes)
    .filter(({ role }) => all || role === 'gating');
  const names = [...new Set(changes.map(({ name }) => name))];
  const columns = [
    { head: '', alignment: 'left', cell: sanitize, omittedFromLevel: Infinity } as const,
    changeColumn(
      comparisons[0]?.before ?? '',
      'right',
      changes,
      ({ before, unit }) => formatAmount(before.mean, unit),
      2,
    ),
    ...comparisons.flatMap((comparison) => comparisonColumns(comparison, paint)),
  ].filter(({ omittedFromLevel }) => omissionLevel < omittedFromLevel);
  return [
    [
      columns.map(({ head }) => sanitize(head)),
      ...names.map((name) => columns.map(({ cell }) => cell(name))),
    ],
    columns.map(({ alignment }) => alignment),
  ];
}

function comparisonColumns(comparison: Comparison, paint: Paint): readonly Column[] {
  const { after, changes } = comparison;
  return [
    changeColumn(after, 'right', changes, ({ after, unit }) => formatAmount(after.mean, unit)),
    changeColumn('change', 'right', changes, changeText, 3),
    changeColumn('range', 'left', changes, rangeText, 1),
    changeColumn('verdict', 'left', changes, (change) => paintLabel(labelChange(change, comparison), paint)),
  ];
}

function changeColumn(
  head: string,
  alignment: Alignment,
  changes: readonly MetricChange[],
  render: (change: MetricChange) => string,
  omittedFromLevel = Infinity,
): Column {
  const cell = (name: string) => {
    const change = changes.find((one) => one.name === name);
    return change ? render(change) : '';
  };
  return { head, alignment, cell, omittedFromLevel };
}

function changeText({ isFromDevice, changePercent, changePercentagePoints }: MetricChange): string {
  if (changePercentagePoints !== null) return signedWithUnit(changePercentagePoints, 'points');
  if (changePercent === null) return 'from 0';
  return isFromDevice || changePercent === 0 ? signedWithUnit(changePercent) : '?';
}

/** An interval whose ends differ by a larger factor is not shown. */
const WIDEST_RATIO = 10;
const PERCENT = 100;

/** The confidence interval of a change. */
function rangeText({ intervalPercent }: MetricChange): string {
  if (intervalPercent === null) return '';
  const { low, high } = intervalPercent;
  const isInformative = PERCENT + high <= (PERCENT + low) * WIDEST_RATIO && low < high;
  return isInformative ? `${signedDecimal(low)} to ${signedDecimal(high)} %` : '';
}

function paintLabel(label: ChangeLabel | null, { good, bad, caution }: Paint): string {
  if (label === null) return '';
  return { better: good, worse: bad, same: String, inconclusive: caution }[label](label);
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
