import { GobonnieError } from '../errors.js';
import { statisticsOf } from '../report/statistics.js';
import { type Difference, differencesOf } from './facts.js';
import { paired } from './paired.js';
import type { Sample, Subject } from './subject.js';
import { type MeanDifference, welch } from './welch.js';

/** Of all judged figures together, chance alone may call so many comparisons changed in which nothing is. */
const ERROR_RATE = 0.05;
export const DEFAULT_MAX_REGRESSION_PERCENT = 10;
const PERCENT = 100;

/** How noise is told from change. */
export const METHODS = { welch, paired } as const;

export type Method = keyof typeof METHODS;

/** Worse by more than may be, not worse, or so noisy that it could be worse without being seen. */
export type Verdict = 'regression' | 'fine' | 'unsure';

/** One side of a change. */
export interface Side {
  /** The geometric one, but for what is 0 in some run. */
  readonly mean: number;
  readonly runs: number;
}

/** What became of one metric. */
export interface Change extends Omit<Sample, 'values'> {
  readonly before: Side;
  readonly after: Side;
  /** By so many per cent of what it was before. Null where that was 0. */
  readonly changePercent: number | null;
  /** Where the true change is. Null where single runs leave nothing to tell noise by. */
  readonly intervalPercent: { readonly low: number; readonly high: number } | null;
  /** How often chance alone would bring as much. */
  readonly probability: number | null;
  /** `bare` is of single runs: be it noise or not. */
  readonly certainty: 'sound' | 'noise' | 'bare';
  /** Null where neither direction is the better one, and where nothing has changed for certain. */
  readonly direction: 'better' | 'worse' | null;
  /** Of judged metrics. */
  readonly verdict: Verdict | null;
}

/** Two subjects side by side. */
export interface Comparison {
  readonly before: string;
  readonly after: string;
  readonly maxRegressionPercent: number;
  readonly method: Method;
  readonly changes: readonly Change[];
  /** What is not the same in both, so that a change may be its doing. */
  readonly differences: readonly Difference[];
}

/** How it is compared. */
export interface Manner {
  readonly maxRegressionPercent?: number;
  readonly method?: Method;
  /** How many comparisons are made that are to be right together: each has to be the surer. */
  readonly comparisons?: number;
}

/** What became of every metric that both know. */
export function compareSubjects(
  before: Subject,
  after: Subject,
  { maxRegressionPercent = DEFAULT_MAX_REGRESSION_PERCENT, method = 'welch', comparisons = 1 }: Manner = {},
): Comparison {
  const pairs = before.samples.flatMap((sample) => {
    const other = after.samples.find(({ name, unit }) => name === sample.name && unit === sample.unit);
    return other && sample.role !== 'silent' ? [{ sample, other }] : [];
  });
  const judged = pairs.filter(({ sample }) => sample.role === 'judged').length;
  if (judged === 0)
    throw new GobonnieError(
      'option-invalid',
      `${before.name} and ${after.name} have no figure in common`,
      'compare what was measured with the same --phases',
    );
  return {
    before: before.name,
    after: after.name,
    maxRegressionPercent,
    method,
    changes: pairs.map(({ sample, other }) => {
      // Bonferroni.
      const errorRate = ERROR_RATE / (judged * comparisons);
      return changeOf(sample, other, { errorRate, method, maxRegressionPercent });
    }),
    differences: unlikeness(before, after),
  };
}

function changeOf(
  { values, ...sample }: Sample,
  { values: afterValues }: Sample,
  {
    errorRate,
    method,
    maxRegressionPercent,
  }: Required<Omit<Manner, 'comparisons'>> & { readonly errorRate: number },
): Change {
  const [before, after] = [sideOf(values), sideOf(afterValues)];
  // A disturbance costs so many per cent, whatever the rate: on the logarithms it is as far for both.
  const tested = isPositive([...values, ...afterValues])
    ? METHODS[method](values.map(Math.log), afterValues.map(Math.log), 1 - errorRate)
    : null;
  const certainty = certaintyOf(tested, errorRate);
  const change = {
    ...sample,
    before,
    after,
    changePercent: before.mean === 0 ? null : inPercent((after.mean - before.mean) / before.mean),
    intervalPercent: tested && {
      low: inPercent(Math.expm1(tested.interval.low)),
      high: inPercent(Math.expm1(tested.interval.high)),
    },
    probability: tested?.probability ?? null,
    certainty,
    direction: certainty === 'noise' ? null : directionOf(sample.better, after.mean - before.mean),
  };
  return { ...change, verdict: verdictOn(change, maxRegressionPercent) };
}

/** Always a number, as JSON has no other: of two wild runs nobody knows where the change ends. */
function inPercent(ratio: number): number {
  return Math.min(ratio * PERCENT, Number.MAX_VALUE);
}

function certaintyOf(tested: MeanDifference | null, errorRate: number): Change['certainty'] {
  if (tested === null) return 'bare';
  return tested.probability < errorRate ? 'sound' : 'noise';
}

function verdictOn(
  { role, better, certainty, direction, changePercent, intervalPercent }: Omit<Change, 'verdict'>,
  maxRegressionPercent: number,
): Change['verdict'] {
  if (role !== 'judged') return null;
  if (direction === 'worse' && Math.abs(changePercent ?? 0) > maxRegressionPercent) return 'regression';
  if (certainty !== 'noise' || intervalPercent === null) return 'fine';
  const { low, high } = intervalPercent;
  return (better === 'more' ? -low : high) > maxRegressionPercent ? 'unsure' : 'fine';
}

/** What several runs come to. */
export function sideOf(values: readonly number[]): Side {
  const { mean, runs } = statisticsOf(values);
  const [first = 1] = values;
  if (!isPositive(values)) return { mean, runs };
  // Counted from the first value, so that equal values have exactly that mean.
  const logs = values.map((value) => Math.log(value) - Math.log(first));
  return { mean: first * Math.exp(statisticsOf(logs).mean), runs };
}

function isPositive(values: readonly number[]): boolean {
  return values.every((value) => value > 0);
}

function directionOf(better: Sample['better'], change: number): Change['direction'] {
  if (better === null || change === 0) return null;
  return change > 0 === (better === 'more') ? 'better' : 'worse';
}

/** Of all documents, each beside the first. */
function unlikeness(before: Subject, after: Subject): readonly Difference[] {
  const [first = [], ...others] = [...before.facts, ...after.facts];
  const found = new Map<string, Difference>();
  for (const facts of others)
    for (const difference of differencesOf(first, facts)) found.set(difference.name, difference);
  return [...found.values()];
}

/** Those that the verdict is about. */
export function changesWith(verdict: Verdict, { changes }: Comparison): readonly Change[] {
  return changes.filter((change) => change.verdict === verdict);
}

/** What all of it comes to: the worst that is said of any figure. */
export function verdictOf(comparison: Comparison): Verdict {
  const worst = (['regression', 'unsure'] as const).find((one) => changesWith(one, comparison).length > 0);
  return worst ?? 'fine';
}
