import type { MetricChange, Comparison } from '../../compare/comparison.js';
import type { EnvironmentDifference } from '../../compare/facts.js';
import { type ChangeLabel, labelChange } from '../../compare/words.js';
import { formatAmount } from '../../report/amount.js';
import { sanitize } from '../../text/escape.js';
import type { Paint } from '../writing/paint.js';
import { conclusionOf } from './conclusion.js';
import { decimal, signed } from './percentages.js';
import { type Alignment, type Table, type TableStyle, tabled } from './table.js';

/** Renders comparisons with one subject side by side. */
export type ComparisonFormatter = (comparisons: readonly Comparison[]) => string;

export function comparisonFormatsIn(style: Partial<TableStyle> = {}) {
  return tabled<Parameters<ComparisonFormatter>>(
    {
      table: ([comparisons], style) => tableOf(comparisons, style),
      apart: ([comparisons]) => comparisons.map((one) => [[one]]),
      sentences: ([comparisons]) =>
        [...differenceTexts(comparisons), ...comparisons.flatMap(conclusionOf)].map(sanitize),
      document: ([comparisons]) => ({ schema: 'gobonnie-comparison/1', comparisons }),
    },
    style,
  );
}

export const comparisonFormats = comparisonFormatsIn();

interface Column {
  readonly head: string;
  readonly alignment: Alignment;
  readonly cell: (name: string) => string;
  /** From which omission on it is left out. */
  readonly omittedFrom: number;
}

/** A row for each figure: its value before, then its value, change and verdict in each comparison. */
export function tableOf(comparisons: readonly Comparison[], { paint, all, omission }: TableStyle): Table {
  const changes = comparisons
    .flatMap((comparison) => comparison.changes)
    .filter(({ role }) => all || role === 'gating');
  const names = [...new Set(changes.map(({ name }) => name))];
  const columns = [
    { head: '', alignment: 'left', cell: sanitize, omittedFrom: Infinity } as const,
    columnOf(
      comparisons[0]?.before ?? '',
      'right',
      changes,
      ({ before, unit }) => formatAmount(before.mean, unit),
      2,
    ),
    ...comparisons.flatMap((comparison) => columnsOf(comparison, paint)),
  ].filter(({ omittedFrom }) => omission < omittedFrom);
  return [
    [
      columns.map(({ head }) => sanitize(head)),
      ...names.map((name) => columns.map(({ cell }) => cell(name))),
    ],
    columns.map(({ alignment }) => alignment),
  ];
}

function columnsOf(comparison: Comparison, paint: Paint): readonly Column[] {
  const { after, changes } = comparison;
  return [
    columnOf(after, 'right', changes, ({ after, unit }) => formatAmount(after.mean, unit)),
    columnOf('change', 'right', changes, changeText),
    columnOf('range', 'left', changes, rangeText, 1),
    columnOf('verdict', 'left', changes, (change) => painted(labelChange(change, comparison), paint)),
  ];
}

function columnOf(
  head: string,
  alignment: Alignment,
  changes: readonly MetricChange[],
  textOf: (change: MetricChange) => string,
  omittedFrom = Infinity,
): Column {
  const cell = (name: string) => {
    const change = changes.find((one) => one.name === name);
    return change ? textOf(change) : '';
  };
  return { head, alignment, cell, omittedFrom };
}

function changeText({ isFromDevice, changePercent, changePercentagePoints }: MetricChange): string {
  if (changePercentagePoints !== null) return signed(changePercentagePoints, 'points');
  if (changePercent === null) return 'from 0';
  return isFromDevice || changePercent === 0 ? signed(changePercent) : '?';
}

/** An interval whose ends are further apart says nothing. */
const WIDEST_RATIO = 10;
const PERCENT = 100;

/** The confidence interval of a change. */
function rangeText({ intervalPercent }: MetricChange): string {
  if (intervalPercent === null) return '';
  const { low, high } = intervalPercent;
  const isTelling = PERCENT + high <= (PERCENT + low) * WIDEST_RATIO && low < high;
  return isTelling ? `${decimal(low)} to ${decimal(high)} %` : '';
}

function painted(word: ChangeLabel | null, { good, bad, caution }: Paint): string {
  if (word === null) return '';
  return { better: good, worse: bad, same: String, inconclusive: caution }[word](word);
}

/** Differences that prevent a verdict, then those that are only noted. */
export function differenceTexts(comparisons: readonly Comparison[]): readonly string[] {
  const texts = comparisons.flatMap(({ before, after, differences, environmentNotes, timedOnly }) => {
    const textOf = (one: EnvironmentDifference) =>
      one.within === undefined
        ? `${one.name} is ${one.before} in ${before} and ${one.after} in ${after}`
        : `${one.name} is ${one.before} and ${one.after} within ${one.within}`;
    return [
      ...differences.map((one) => `difference: ${textOf(one)}`),
      ...environmentNotes.map((one) => `note: ${textOf(one)}`),
      ...timedOnly.map(({ name, reason }) => `note: the figures of ${name} are as timed: ${reason}`),
    ];
  });
  // Of the side that all are compared with, each says the same.
  return [...new Set(texts)];
}
