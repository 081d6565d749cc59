import { type GobonnieError, optionError } from '../errors.js';
import type { MetricUnit } from '../report/amount.js';
import { computeMean } from '../report/statistics/statistics.js';
import type {
  ChangeSide,
  Comparison,
  ComparisonMethod,
  ComparisonVerdict,
  MetricChange,
} from './comparison-schema.js';
import { findDifferences, type PropertySide } from './differences.js';
import type { ComparisonSide, MetricSample } from './side.js';
import { type MeanDifference, paired, welch } from './t-test.js';

/** The probability that chance alone makes any gating metric of a comparison look changed. */
const ERROR_RATE = 0.05;
export const DEFAULT_MAX_REGRESSION_PERCENT = 10;
const PERCENT = 100;
/** Units whose values differ in percentage points, and the points per unit. */
const PERCENTAGE_POINTS: Partial<Record<MetricUnit, number>> = { share: PERCENT, percent: 1 };

export const COMPARISON_METHODS = { welch, paired } as const;

interface ComparisonOptions {
  readonly maxRegressionPercent?: number | null;
  readonly method?: ComparisonMethod;
  /** Gives verdicts even if target or options differ. */
  readonly force?: boolean;
  /** Number of comparisons that share the error rate. */
  readonly comparisons?: number;
}

export function compareSides(
  before: ComparisonSide,
  after: ComparisonSide,
  options: ComparisonOptions = {},
): Comparison {
  const { maxRegressionPercent = DEFAULT_MAX_REGRESSION_PERCENT, method = 'welch' } = options;
  const { force = false, comparisons = 1 } = options;
  const pairs = before.samples.flatMap((sample) => {
    const other = after.samples.find(({ name, unit }) => name === sample.name && unit === sample.unit);
    return other ? [{ sample, other }] : [];
  });
  const gatingCount = pairs.filter(({ sample }) => sample.role === 'gating').length;
  if (gatingCount === 0) throw noCommonMetricError(before.name, after.name);
  const { differences, environmentNotes } = findDifferences(before, after);
  const hasVerdict = force || differences.length === 0;
  return {
    before: before.name,
    after: after.name,
    maxRegressionPercent,
    method,
    changes: pairs.map(({ sample, other }) => {
      // Bonferroni correction.
      const errorRate = ERROR_RATE / (gatingCount * comparisons);
      const change = computeChange(sample, other, errorRate, method);
      return { ...change, verdict: hasVerdict ? decideVerdict(change, maxRegressionPercent) : null };
    }),
    differences,
    environmentNotes,
    timedOnly: [before, after].flatMap(({ name, timedOnlyReason: reason }) =>
      reason ? [{ name, reason }] : [],
    ),
  };
}

/** Returns the differences before these phases are measured. Throws if the sides will have no metric in common. */
export function previewDifferences(before: ComparisonSide, after: PropertySide, phases: readonly string[]) {
  if (!before.samples.some(({ role, name }) => role === 'gating' && phases.includes(name)))
    throw noCommonMetricError(before.name, after.name);
  return findDifferences(before, after).differences;
}

function noCommonMetricError(before: string, after: string): GobonnieError {
  return optionError(
    `${before} and ${after} have no metric in common`,
    'compare results of the same --phases',
  );
}

function computeChange(
  sample: MetricSample,
  other: MetricSample,
  errorRate: number,
  method: ComparisonMethod,
): Omit<MetricChange, 'verdict'> {
  const { name, unit, better, role } = sample;
  const isFromDevice = sample.isFromDevice && other.isFromDevice;
  const isTimed = !isFromDevice || sample.isOnlyTimed || other.isOnlyTimed;
  const values = isTimed ? sample.timed : sample.values;
  const afterValues = isTimed ? other.timed : other.values;
  const before = toChangeSide(values);
  const after = toChangeSide(afterValues);
  const points = PERCENTAGE_POINTS[unit];
  // Noise scales with the rate, so the logarithms of both sides have equal variance.
  const testResult =
    isFromDevice && points === undefined && isPositive([...values, ...afterValues])
      ? COMPARISON_METHODS[method](values.map(Math.log), afterValues.map(Math.log), 1 - errorRate)
      : null;
  const significance = classifySignificance(testResult, errorRate);
  const interval = testResult?.interval;
  let intervalPercent = interval
    ? { low: toFinitePercent(Math.expm1(interval.low)), high: toFinitePercent(Math.expm1(interval.high)) }
    : null;
  // A result compared with itself has no difference, however noisy it is.
  if (interval && String(values) === String(afterValues)) intervalPercent = { low: 0, high: 0 };
  return {
    name,
    unit,
    better,
    role,
    isFromDevice,
    before,
    after,
    changePercent:
      points !== undefined || (before.mean === 0 && after.mean !== 0)
        ? null
        : toFinitePercent((after.mean - before.mean) / (before.mean || 1)),
    changePercentagePoints: points === undefined ? null : (after.mean - before.mean) * points,
    intervalPercent,
    pValue: testResult?.pValue ?? null,
    significance,
    direction:
      significance === 'not-significant' || !isFromDevice ? null : decideDirection(better, before, after),
  };
}

/** Finite, because JSON has no infinity; the interval of two very noisy runs may overflow. */
function toFinitePercent(ratio: number): number {
  return Math.min(ratio * PERCENT, Number.MAX_VALUE);
}

function classifySignificance(testResult: MeanDifference | null, errorRate: number) {
  if (testResult === null) return 'untested';
  return testResult.pValue < errorRate ? 'significant' : 'not-significant';
}

function decideVerdict(change: Omit<MetricChange, 'verdict'>, maxRegressionPercent: number | null) {
  const { changePercent, intervalPercent } = change;
  if (change.role !== 'gating' || maxRegressionPercent === null) return null;
  // A result compared with itself: cached data does not matter.
  if (!change.isFromDevice) return changePercent === 0 ? 'pass' : 'cached';
  if (change.direction === 'worse' && Math.abs(changePercent ?? 0) > maxRegressionPercent)
    return 'regression';
  if (change.significance !== 'not-significant' || intervalPercent === null) return 'pass';
  const { low, high } = intervalPercent;
  return (change.better === 'higher' ? -low : high) > maxRegressionPercent ? 'inconclusive' : 'pass';
}

export function toChangeSide(values: readonly number[]): ChangeSide {
  const runs = values.length;
  const [first = 1] = values;
  if (!isPositive(values)) return { mean: computeMean(values), runs };
  // Relative to the first value, so the mean of equal values is exact.
  const logs = values.map((value) => Math.log(value) - Math.log(first));
  return { mean: first * Math.exp(computeMean(logs)), runs };
}

function isPositive(values: readonly number[]): boolean {
  return values.every((value) => value > 0);
}

/** Two single runs never count as better, because their noise is unknown; worse is worth a look. */
function decideDirection(better: MetricChange['better'], before: ChangeSide, after: ChangeSide) {
  const change = after.mean - before.mean;
  if (better === null || change === 0) return null;
  if (change > 0 !== (better === 'higher')) return 'worse';
  return before.runs + after.runs > 2 ? 'better' : null;
}

export function findChanges(verdict: ComparisonVerdict, { changes }: Comparison): readonly MetricChange[] {
  return changes.filter((change) => change.verdict === verdict);
}

/** Returns the worst verdict of any metric; `cached` ranks last. Null if no metric got a verdict. */
export function findWorstVerdict(comparison: Comparison): ComparisonVerdict | null {
  const worstFirst = ['regression', 'inconclusive', 'pass', 'cached'] as const;
  return worstFirst.find((one) => findChanges(one, comparison).length > 0) ?? null;
}

/** The label of a change. `inconclusive`: noise, single runs or cached data could hide a change. */
export type ChangeLabel = 'better' | 'worse' | 'same' | 'inconclusive';

/** Null if neither direction is better, or if the two sides differ in more than their results. */
export function labelChange(change: MetricChange, { maxRegressionPercent, changes }: Comparison) {
  const hasVerdicts = maxRegressionPercent === null || changes.some(({ verdict }) => verdict !== null);
  if (!hasVerdicts || change.better === null) return null;
  if (change.verdict === 'regression') return 'worse';
  if (change.changePercent === 0) return 'same';
  if (change.significance === 'significant') return change.direction;
  return isWithinLimit(change.intervalPercent, maxRegressionPercent) ? 'same' : 'inconclusive';
}

/** True if the whole interval is within ± the allowed regression. */
export function isWithinLimit(
  interval: MetricChange['intervalPercent'],
  limitPercent: number | null = null,
): boolean {
  if (interval === null) return false;
  return Math.max(-interval.low, interval.high) <= (limitPercent ?? DEFAULT_MAX_REGRESSION_PERCENT);
}
