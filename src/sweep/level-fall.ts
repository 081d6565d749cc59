import { computeMedian } from '../report/statistics/irregularity.js';
import { minMax } from '../report/statistics/statistics.js';

export interface LevelFall {
  readonly beforePerSecond: number;
  readonly afterPerSecond: number;
}

export interface LoadSample {
  readonly threads: number;
  readonly rate: number;
}

interface FallRule {
  /** The lower level is at most this share of the upper level. */
  readonly maxShare: number;
  /** The number of rates that each level has at least. */
  readonly minRates: number;
  /** Maximum distance of a rate from the lower level, as a share of that level. */
  readonly lowTolerance: number;
}

/** Rates from this share of the highest rate on belong to the upper level. */
const UPPER_SHARE = 0.9;
/** Maximum distance of a rate from the upper level, as a share of that level, and the share of its rates within it. */
const UPPER_TOLERANCE = 0.05;
const MIN_FLAT_SHARE = 0.75;
/** The share of the rates that must be at one of the levels. During the other measurements, the rate fell or rose. */
const MIN_LEVELS_SHARE = 0.75;
/** Credits may return. Rates that alternate more often have no levels in time. */
const MIN_RATES_PER_CHANGE = 3;

/** Some unthrottled disks lose a third of their rate with many threads, and remain there. */
const RULE_FOR_SEVERAL_LOADS: FallRule = { maxShare: 0.5, minRates: 3, lowTolerance: 0.15 };
/** Under the same load, a smaller fall counts if both levels last. */
const RULES_FOR_ONE_LOAD: readonly FallRule[] = [
  { maxShare: 0.5, minRates: 2, lowTolerance: 0.15 },
  { maxShare: 0.75, minRates: 8, lowTolerance: 0.05 },
];

/** Finds a fall in rates in order of time. Ignores loads too small to reach the upper level. Null if there is none. */
export function findLevelFall(samples: readonly LoadSample[]): LevelFall | null {
  const upperBound = minMax(samples.map(({ rate }) => rate)).max * UPPER_SHARE;
  const saturating = samples.filter(({ rate }) => rate >= upperBound).map(({ threads }) => threads);
  const loaded = samples.filter(({ threads }) => threads >= minMax(saturating).min);
  const isOneLoad = loaded.every(({ threads }) => threads === loaded[0]?.threads);
  const rules = isOneLoad ? RULES_FOR_ONE_LOAD : [RULE_FOR_SEVERAL_LOADS];
  const rates = loaded.map(({ rate }) => rate);
  for (const rule of rules) {
    const fall = findTwoLevels(rates, upperBound, rule);
    if (fall !== null) return fall;
  }
  return null;
}

function findTwoLevels(rates: readonly number[], upperBound: number, rule: FallRule): LevelFall | null {
  const uppers = rates.filter((rate) => rate >= upperBound);
  const upper = median(uppers);
  const lower = median(rates.filter((rate) => rate <= upper * rule.maxShare));
  const isLower = (rate: number) => isNear(rate, lower, rule.lowTolerance);
  const lowers = rates.filter(isLower);
  const flatUppers = uppers.filter((rate) => isNear(rate, upper, UPPER_TOLERANCE));
  const uppersBefore = rates.slice(0, rates.findIndex(isLower)).filter((rate) => rate >= upperBound);
  const changes = countChanges(rates.map((rate) => rate >= upperBound));
  const isFall =
    Math.min(lowers.length, flatUppers.length, uppersBefore.length) >= rule.minRates &&
    flatUppers.length >= uppers.length * MIN_FLAT_SHARE &&
    uppers.length + lowers.length >= rates.length * MIN_LEVELS_SHARE &&
    changes * MIN_RATES_PER_CHANGE <= rates.length;
  return isFall ? { beforePerSecond: upper, afterPerSecond: lower } : null;
}

/** True if the rate is within a share of the level. */
export function isNear(rate: number, level: number, tolerance: number): boolean {
  return Math.abs(rate - level) <= level * tolerance;
}

function countChanges(flags: readonly boolean[]): number {
  return flags.filter((flag, at) => at > 0 && flag !== flags[at - 1]).length;
}

function median(values: readonly number[]): number {
  return computeMedian(values.toSorted((one, other) => one - other));
}
