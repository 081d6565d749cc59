import { GobonnieError } from '../errors.js';
import type { Unit } from '../report/schema/unit.js';
import { statisticsOf } from '../report/statistics/statistics.js';
import { groupsOf } from '../text/groups.js';
import { type Difference, differencesOf, type Fact } from './facts.js';
import type { MetricSample, Subject } from './subject.js';
import { type MeanDifference, paired, welch } from './t-test.js';

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

/** How one metric changed. */
export interface Change {
  /** `read`, `read.p99`. */
  readonly name: string;
  readonly unit: Unit;
  /** Whether more or less of it is better. Null if neither is. */
  readonly better: 'more' | 'less' | null;
  /** Whether it gets a verdict or is only shown. */
  readonly role: 'judged' | 'shown';
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
  /** Of judged metrics; null where what is unlike leaves none. */
  readonly verdict: Verdict | null;
}

/** Two subjects side by side. */
export interface Comparison {
  readonly before: string;
  readonly after: string;
  /** Null where nothing is judged. */
  readonly maxRegressionPercent: number | null;
  readonly method: Method;
  readonly changes: readonly Change[];
  /** What is not the same in both, so that a change may be its doing. */
  readonly differences: readonly Difference[];
  /** What is not the same either, but leaves the verdict: the processor, its cores, the memory, Node's version. */
  readonly notes: readonly Difference[];
}

/** How it is compared. */
export interface ComparisonOptions {
  readonly maxRegressionPercent?: number | null;
  readonly method?: Method;
  /** Whether there is a verdict on what is unlike, too. */
  readonly force?: boolean;
  /** How many comparisons are made that are to be right together: each has to be the surer. */
  readonly comparisons?: number;
}

/** What became of every metric that both know. */
export function compareSubjects(
  before: Subject,
  after: Subject,
  {
    maxRegressionPercent = DEFAULT_MAX_REGRESSION_PERCENT,
    method = 'welch',
    force = false,
    comparisons = 1,
  }: ComparisonOptions = {},
): Comparison {
  const pairs = pairsOf(before, after);
  const judged = pairs.filter(({ sample }) => sample.role === 'judged').length;
  const { differences, notes } = unlikeness(before, after);
  const isJudged = force || differences.length === 0;
  return {
    before: before.name,
    after: after.name,
    maxRegressionPercent,
    method,
    changes: pairs.map(({ sample, other }) => {
      // Bonferroni.
      const errorRate = ERROR_RATE / (judged * comparisons);
      const change = changeOf(sample, other, errorRate, method);
      return { ...change, verdict: isJudged ? verdictOn(change, maxRegressionPercent) : null };
    }),
    differences,
    notes,
  };
}

/** What will be unlike, before the one side has any value. Throws where the two will have no figure in common. */
export function foreseenDifferences(before: Subject, after: Subject): readonly Difference[] {
  pairsOf(before, after);
  return unlikeness(before, after).differences;
}

type ComparedSample = MetricSample & Pick<Change, 'role'>;

interface Pair {
  readonly sample: ComparedSample;
  readonly other: MetricSample;
}

/** What both tell, and in the same unit. */
function pairsOf(before: Subject, after: Subject): readonly Pair[] {
  const pairs = before.samples.flatMap((sample) => {
    const other = after.samples.find(({ name, unit }) => name === sample.name && unit === sample.unit);
    return other && isCompared(sample) ? [{ sample, other }] : [];
  });
  if (pairs.some(({ sample }) => sample.role === 'judged')) return pairs;
  throw new GobonnieError(
    'option-invalid',
    `${before.name} and ${after.name} have no figure in common`,
    'compare what was measured with the same --phases',
  );
}

function isCompared(sample: MetricSample): sample is ComparedSample {
  return sample.role !== 'silent';
}

function changeOf(
  { values, ...sample }: ComparedSample,
  { values: afterValues }: MetricSample,
  errorRate: number,
  method: Method,
): Omit<Change, 'verdict'> {
  const [before, after] = [sideOf(values), sideOf(afterValues)];
  // A disturbance costs so many per cent, whatever the rate: on the logarithms it is as far for both.
  const tested = isPositive([...values, ...afterValues])
    ? METHODS[method](values.map(Math.log), afterValues.map(Math.log), 1 - errorRate)
    : null;
  const certainty = certaintyOf(tested, errorRate);
  return {
    ...sample,
    before,
    after,
    changePercent:
      before.mean === 0 && after.mean !== 0
        ? null
        : inPercent((after.mean - before.mean) / (before.mean || 1)),
    intervalPercent: tested && {
      low: inPercent(Math.expm1(tested.interval.low)),
      high: inPercent(Math.expm1(tested.interval.high)),
    },
    probability: tested?.probability ?? null,
    certainty,
    direction: certainty === 'noise' ? null : directionOf(sample.better, after.mean - before.mean),
  };
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
  maxRegressionPercent: number | null,
): Change['verdict'] {
  if (role !== 'judged' || maxRegressionPercent === null) return null;
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

function directionOf(better: Change['better'], change: number): Change['direction'] {
  if (better === null || change === 0) return null;
  return change > 0 === (better === 'more') ? 'better' : 'worse';
}

/** Of what either side tells first, and of all else beside what its own side tells first. */
function unlikeness(before: Subject, after: Subject): Pick<Comparison, 'differences' | 'notes'> {
  const [own, other] = [firstFacts(before), firstFacts(after)];
  const all = [
    ...differencesOf(own, other),
    ...differencesWithin(before, own),
    ...differencesWithin(after, other),
  ];
  const noted = new Set([...own, ...other].filter(({ isNote }) => isNote).map(({ name }) => name));
  return {
    differences: all.filter(({ name }) => !noted.has(name)),
    notes: all.filter(({ name }) => noted.has(name)),
  };
}

/** Of several documents: what the first one that knows a fact says of it. */
function firstFacts({ facts }: Subject): readonly Fact[] {
  return groupsOf(facts.flat(), ({ name }) => name).map(
    (group) => group.find(({ value }) => value !== null) ?? group[0],
  );
}

function differencesWithin({ name: within, facts }: Subject, first: readonly Fact[]): readonly Difference[] {
  const differences = facts.flatMap((one) => differencesOf(first, one));
  return groupsOf(differences, ({ name }) => name).map(([difference]) => ({ ...difference, within }));
}

/** Those that the verdict is about. */
export function changesWith(verdict: Verdict, { changes }: Comparison): readonly Change[] {
  return changes.filter((change) => change.verdict === verdict);
}

/** What all of it comes to: the worst that is said of any figure. Null where what is unlike leaves nothing to be said. */
export function verdictOf(comparison: Comparison): Verdict | null {
  const worstFirst = ['regression', 'unsure', 'fine'] as const;
  return worstFirst.find((one) => changesWith(one, comparison).length > 0) ?? null;
}
