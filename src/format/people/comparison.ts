import { type Change, type Comparison, changesWith } from '../../compare/comparison.js';
import type { Difference } from '../../compare/facts.js';
import { showAmount } from '../../report/amount.js';
import { harmless } from '../../text/escape.js';
import { type Paint, PLAIN } from '../writing/paint.js';
import { type Alignment, type Table, tabled } from './table.js';

/** Renders comparisons with one subject side by side. */
export type ComparisonFormat = (comparisons: readonly Comparison[]) => string;

export function comparisonFormatsIn(paint: Paint) {
  return tabled<Parameters<ComparisonFormat>>(
    {
      table: ([comparisons], paint) => tableOf(comparisons, paint),
      sentences: ([comparisons]) => comparisons.flatMap(conclusionOf),
      document: ([comparisons]) => ({ schema: 'gobonnie-comparison/1', comparisons }),
    },
    paint,
  );
}

export const comparisonFormats = comparisonFormatsIn(PLAIN);

/** A row for each figure: its value before, then its value and change in each comparison. */
export function tableOf(comparisons: readonly Comparison[], paint: Paint): Table {
  const [first] = comparisons;
  const names = [...new Set(comparisons.flatMap(({ changes }) => changes.map(({ name }) => name)))];
  const rows = names.map((name) => {
    const changes = comparisons.map((comparison) => comparison.changes.find((one) => one.name === name));
    const known = changes.find((change) => change !== undefined);
    return [
      harmless(name),
      known ? showAmount(known.before.mean, known.unit) : '',
      ...changes.flatMap((change) =>
        change ? [showAmount(change.after.mean, change.unit), changeText(change, paint)] : ['', ''],
      ),
    ];
  });
  const head = [
    '',
    harmless(first?.before ?? ''),
    ...comparisons.flatMap(({ after }) => [harmless(after), 'change']),
  ];
  return [
    [head, ...rows],
    ['left', 'right', ...comparisons.flatMap((): Alignment[] => ['right', 'left'])],
  ];
}

function changeText(
  { isOfDisk, changePercent, changePoints, intervalPercent, certainty, direction, verdict }: Change,
  paint: Paint,
): string {
  if (changePoints !== null) return signed(changePoints, 'points');
  if (!isOfDisk) return 'cannot tell';
  if (changePercent === null) return 'from 0';
  const by = signed(changePercent);
  if (changePercent === 0) return 'same';
  if (certainty === 'noise') return `${by} noise`;
  const word = verdict === 'regression' ? paint.bad('REGRESSION') : (direction ?? '');
  const interval = intervalPercent
    ? `(${signed(intervalPercent.low)} to ${signed(intervalPercent.high)})`
    : '';
  return [by, interval, word].filter(Boolean).join(' ');
}

function conclusionOf(comparison: Comparison): readonly string[] {
  const { after } = comparison;
  return [
    ...differenceTexts(comparison),
    certaintyText(comparison),
    ...untestedTexts(comparison),
    ...verdictTexts(comparison).map((text) => `${after}: ${text}`),
    ...unsureTexts(comparison),
  ].map(harmless);
}

/** What could be a regression and still be missed. */
export function unsureTexts(comparison: Comparison): readonly string[] {
  const { after, maxRegressionPercent: most } = comparison;
  const unsure = changesWith('unsure', comparison);
  const unknown = changesWith('unknown', comparison);
  return [
    unsure.length > 0 &&
      `${after}: too noisy to tell: ${namesOf(unsure)} (could hide a regression of more than ${most} %; use more --runs)`,
    unknown.length > 0 &&
      `${after}: cannot tell: ${namesOf(unknown)}, as memory served a part (measure with --direct, or pass --accept-memory)`,
  ].filter((text) => text !== false);
}

/** Differences that prevent a verdict, then those that are only noted. */
export function differenceTexts({ before, after, differences, notes, timed }: Comparison): readonly string[] {
  const textOf = (one: Difference) =>
    one.within === undefined
      ? `${one.name} is ${one.before} in ${before} and ${one.after} in ${after}`
      : `${one.name} is ${one.before} and ${one.after} within ${one.within}`;
  return [
    ...differences.map((one) => `difference: ${textOf(one)}`),
    ...notes.map((one) => `note: ${textOf(one)}`),
    ...timed.map(({ name, reason }) => `note: the figures of ${name} are as timed: ${reason}`),
  ];
}

const METHOD_NAMES = { welch: "Welch's t-test", paired: 'paired t-test' } as const;

export function certaintyText({ changes, method }: Comparison): string {
  const judged = changes.filter(({ role, isOfDisk }) => role === 'judged' && isOfDisk);
  if (judged.some(({ before, after }) => before.runs === 1 && after.runs === 1))
    return 'not tested: a single run cannot tell change from noise; use --runs 5';
  const all = judged.length === 1 ? '' : ` for all ${judged.length} figures together`;
  return `geometric means; ${METHOD_NAMES[method]} on logarithms, 95 % confidence${all}`;
}

/** Figures with a run of 0, which has no logarithm. */
function untestedTexts({ after, changes }: Comparison): readonly string[] {
  const untested = changes.filter(
    (one) =>
      one.role === 'judged' &&
      one.isOfDisk &&
      one.certainty === 'untested' &&
      one.before.runs + one.after.runs > 2,
  );
  return untested.length === 0 ? [] : [`${after}: not tested, as some run has 0: ${namesOf(untested)}`];
}

function verdictTexts(comparison: Comparison): readonly string[] {
  const { maxRegressionPercent: most } = comparison;
  const regressions = changesWith('regression', comparison);
  const fine = changesWith('fine', comparison);
  return [
    regressions.length > 0 &&
      `regression of more than ${most} %: ${regressions.map(({ name, changePercent }) => `${name} ${signed(changePercent ?? 0)}`).join(', ')}`,
    fine.length > 0 && `no regression of more than ${most} %: ${namesOf(fine)}`,
  ].filter((text) => text !== false);
}

function namesOf(changes: readonly Change[]): string {
  return changes.map(({ name }) => name).join(', ');
}

export function signed(change: number, unit = '%'): string {
  return `${change < 0 ? '-' : '+'}${Math.abs(change).toFixed(1)} ${unit}`;
}
