import { type GobonnieError, optionError } from '../errors.js';
import { PERCENTAGE_POINTS } from '../report/amount.js';
import { combineRuns, isLongest } from '../report/metrics.js';
import { isPositive, minMax } from '../report/statistics/statistics.js';
import type {
  ChangeSide,
  Comparison,
  ComparisonMethod,
  ComparisonVerdict,
  MetricChange,
} from './comparison-schema.js';
import { findDifferences, type PropertySide } from './differences.js';
import { countRunsToDecide, logDeviation, type Stage, VERDICT_CONFIDENCE, verdictWidening } from './power.js';
import type { ComparisonSide, MetricSample } from './side.js';
import { confidenceInterval, paired, welch } from './t-test.js';

/**
 * The probability that chance alone makes any gating metric of a comparison look changed. While more runs may follow, each
 * check must be wrong less often, because there may be a hundred checks.
 */
const ERROR_RATE = { final: 0.05, interim: 0.005 } as const;
export const DEFAULT_MAX_REGRESSION_PERCENT = 10;
const PERCENT = 100;

type PercentInterval = MetricChange['intervalPercent'];

export const COMPARISON_METHODS = { welch, paired } as const;

interface ComparisonOptions {
  readonly maxRegressionPercent?: number | null;
  readonly method?: ComparisonMethod;
  /** Gives verdicts even if target or options differ. */
  readonly force?: boolean;
  /** Lets the sides be on different disks, like those of `ab`. */
  readonly comparesDisks?: boolean;
  /** Number of comparisons that share the error rate. */
  readonly comparisons?: number;
  /** `interim` while more runs may follow. */
  readonly stage?: Stage;
}

export function compareSides(
  before: ComparisonSide,
  after: ComparisonSide,
  options: ComparisonOptions = {},
): Comparison {
  const { maxRegressionPercent = DEFAULT_MAX_REGRESSION_PERCENT, method = 'welch' } = options;
  const { force = false, comparesDisks = false, comparisons = 1, stage = 'final' } = options;
  const pairs = before.samples.flatMap((sample) => {
    const other = after.samples.find(({ name, unit }) => name === sample.name && unit === sample.unit);
    return other ? [{ sample, other }] : [];
  });
  const gatingCount = pairs.filter(({ sample }) => sample.role === 'gating').length;
  if (gatingCount === 0) throw noCommonMetricError(before.name, after.name);
  const { differences, environmentNotes } = findDifferences(before, after, comparesDisks);
  const hasVerdict = force || differences.length === 0;
  return {
    before: before.name,
    after: after.name,
    maxRegressionPercent,
    method,
    changes: pairs.map(({ sample, other }) => {
      // Bonferroni correction.
      const errorRate = ERROR_RATE[stage] / (gatingCount * comparisons);
      const change = computeChange(sample, other, errorRate, method, VERDICT_CONFIDENCE[stage]);
      const verdict = hasVerdict ? decideVerdict(change, maxRegressionPercent) : null;
      if (verdict !== 'inconclusive') return { ...change, verdict, runsToDecide: null };
      const runsToDecide = countRunsToDecide(sample.values, other.values, maxRegressionPercent);
      return { ...change, verdict, runsToDecide };
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
    'compare results of the same phases or steps (quick with quick), with enough data for each to have a rate',
  );
}

function computeChange(
  sample: MetricSample,
  other: MetricSample,
  errorRate: number,
  method: ComparisonMethod,
  verdictConfidence: number,
): Omit<MetricChange, 'verdict' | 'runsToDecide'> {
  const { name, unit, better, role, values } = sample;
  const { values: afterValues } = other;
  const isFromDevice = sample.isFromDevice && other.isFromDevice;
  const before = { mean: combineRuns(sample, values, unit), runs: values.length };
  const after = { mean: combineRuns(sample, afterValues, unit), runs: afterValues.length };
  const points = PERCENTAGE_POINTS[unit];
  // Noise scales with the rate, so the logarithms of both sides have equal variance.
  // A longest operation of all runs has no interval.
  const isTestable =
    isFromDevice && points === undefined && !isLongest(sample) && isPositive([...values, ...afterValues]);
  const logChange = isTestable
    ? COMPARISON_METHODS[method](values.map(Math.log), afterValues.map(Math.log))
    : null;
  // A result compared with itself has no difference, however noisy it is.
  const isItself = String(values) === String(afterValues);
  const toInterval = (confidence: number, widening: number): PercentInterval => {
    if (!logChange) return null;
    const { low, high } = confidenceInterval(logChange, confidence, isItself ? 0 : widening);
    return { low: toFinitePercent(Math.expm1(low)), high: toFinitePercent(Math.expm1(high)) };
  };
  const intervalPercent = toInterval(1 - errorRate, 1);
  const significance = classifySignificance(intervalPercent);
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
    verdictIntervalPercent: toInterval(
      verdictConfidence,
      verdictWidening(logDeviation([values, afterValues]) ?? 0),
    ),
    significance,
    direction: significance === 'significant' ? decideDirection(better, before, after) : null,
  };
}

/** Finite, because JSON has no infinity; the interval of two very noisy runs may overflow. */
function toFinitePercent(ratio: number): number {
  return Math.min(ratio * PERCENT, Number.MAX_VALUE);
}

function classifySignificance(interval: PercentInterval): MetricChange['significance'] {
  if (interval === null) return 'untested';
  return interval.low > 0 || interval.high < 0 ? 'significant' : 'not-significant';
}

function decideVerdict(
  change: Omit<MetricChange, 'verdict' | 'runsToDecide'>,
  maxRegressionPercent: number | null,
): ComparisonVerdict | null {
  const { better, changePercent, verdictIntervalPercent: interval, isFromDevice } = change;
  if (change.role !== 'gating' || maxRegressionPercent === null) return null;
  if (change.direction === 'better') return 'pass';
  // A result compared with itself: cached data does not matter.
  if (!isFromDevice) return changePercent === 0 ? 'pass' : 'cached';
  const sign = better === 'lower' ? 1 : -1;
  if (interval === null) {
    // The noise of two single runs is unknown. Otherwise, a run measured 0.
    if (change.before.runs + change.after.runs === 2 && changePercent !== 0) return 'inconclusive';
    return sign * (changePercent ?? 0) > maxRegressionPercent ? 'regression' : 'pass';
  }
  const { min: least, max: most } = minMax([sign * interval.low, sign * interval.high]);
  if (least > maxRegressionPercent) return 'regression';
  return most > maxRegressionPercent ? 'inconclusive' : 'pass';
}

function decideDirection(better: MetricChange['better'], before: ChangeSide, after: ChangeSide) {
  const change = after.mean - before.mean;
  if (better === null || change === 0) return null;
  return change > 0 === (better === 'higher') ? 'better' : 'worse';
}

export function findChanges(verdict: ComparisonVerdict, { changes }: Comparison): readonly MetricChange[] {
  return changes.filter((change) => change.verdict === verdict);
}

/** Returns the worst verdict of any metric; `cached` ranks last. Null if no metric got a verdict. */
export function findWorstVerdict(comparison: Comparison): ComparisonVerdict | null {
  const worstFirst = ['regression', 'inconclusive', 'pass', 'cached'] as const;
  return worstFirst.find((one) => findChanges(one, comparison).length > 0) ?? null;
}

/** Returns the changes that a gate rejects: if `strict`, all without a proof. Cached ones also fail if there are no others. */
export function findFailures(comparison: Comparison, strict: boolean): readonly MetricChange[] {
  const isRejected = ({ verdict }: MetricChange) => verdict !== null && verdict !== 'pass';
  if (strict || findWorstVerdict(comparison) === 'cached') return comparison.changes.filter(isRejected);
  return findChanges('regression', comparison);
}

/**
 * The label of a change. `not-worse` excludes only a regression: the result may have become better. `inconclusive`: noise,
 * single runs or cached data could hide a change.
 */
export type ChangeLabel = 'better' | 'worse' | 'same' | 'not-worse' | 'inconclusive';

/** Null if neither direction is better, or if the two sides differ in more than their results. */
export function labelChange(change: MetricChange, comparison: Comparison): ChangeLabel | null {
  const { maxRegressionPercent, changes } = comparison;
  const hasVerdicts = maxRegressionPercent === null || changes.some(({ verdict }) => verdict !== null);
  if (!hasVerdicts || change.better === null) return null;
  if (change.verdict === 'regression') return 'worse';
  if (change.changePercent === 0 && change.intervalPercent === null) return 'same';
  if (change.significance === 'significant') return change.direction;
  if (isWithinLimit(change.verdictIntervalPercent, regressionLimit(comparison))) return 'same';
  return change.verdict === 'pass' && change.verdictIntervalPercent ? 'not-worse' : 'inconclusive';
}

/** True if the whole interval is within ± the allowed regression. */
export function isWithinLimit(interval: PercentInterval, limit = DEFAULT_MAX_REGRESSION_PERCENT): boolean {
  return interval !== null && Math.max(-interval.low, interval.high) <= limit;
}

/** True if the whole interval is beyond the allowed regression, or the same improvement. */
export function isBeyondLimit(interval: PercentInterval, limit: number): boolean {
  return interval !== null && (interval.low > limit || interval.high < -limit);
}

/** Returns the allowed regression in percent, or the default without one. */
export function regressionLimit({ maxRegressionPercent }: Comparison): number {
  return maxRegressionPercent ?? DEFAULT_MAX_REGRESSION_PERCENT;
}

/** True if more runs would not change what the comparison says about the metrics that count. */
export function isDecided(comparison: Comparison): boolean {
  const limit = regressionLimit(comparison);
  return comparison.changes
    .filter(({ role, isFromDevice }) => role === 'gating' && isFromDevice)
    .every(({ verdict, verdictIntervalPercent: interval }) => {
      if (verdict !== null) return verdict !== 'inconclusive';
      if (interval === null) return true;
      return isWithinLimit(interval, limit) || isBeyondLimit(interval, limit);
    });
}

/** True if more runs would not change which side is better. With a limit, the verdict must be decided. */
export function isAnswered(comparison: Comparison): boolean {
  const gating = comparison.changes.filter(({ role }) => role === 'gating');
  const hasDirection = gating.every(({ significance }) => significance === 'significant');
  return isDecided(comparison) || (comparison.maxRegressionPercent === null && hasDirection);
}
