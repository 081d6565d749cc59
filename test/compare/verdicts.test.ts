import { describe, expect, test } from 'vitest';
import { compareSides, findWorstVerdict, isDecided } from '../../src/compare/comparison.js';
import { countRunsToAnswer, countRunsToDecide } from '../../src/compare/power.js';
import { computeStatistics } from '../../src/report/statistics/statistics.js';
import { metricWith, sideWith } from '../support/data/comparison-sides.js';
import { type SeededRandom, seededRandom } from '../support/data/seeded-random.js';
import { RECORDED } from './recorded-noise.js';

const STEPS = ['write', 'read', 'iops'] as const;
const FIRST_RUNS = 5;
const MAX_RUNS = 20;

/** Returns the rates of a step in the runs of one side. */
type Measure = (step: (typeof STEPS)[number]) => readonly number[];

/** Measures like --baseline without --runs: until the comparison is decided, at most 20 times. */
function compareUntilDecided(before: Measure, after: Measure) {
  const [rates, laterRates] = [before, after].map((measure) => STEPS.map((step) => measure(step)));
  const sideOf = (all: readonly (readonly number[])[] = [], runs: number) =>
    sideWith(
      'a side',
      STEPS.map((step, at) => metricWith(step, (all[at] ?? []).slice(0, runs))),
    );
  const baseline = sideOf(rates, MAX_RUNS);
  for (let runs = FIRST_RUNS; runs < MAX_RUNS; runs++) {
    const comparison = compareSides(baseline, sideOf(laterRates, runs), { stage: 'interim' });
    if (isDecided(comparison)) return findWorstVerdict(comparison);
  }
  return findWorstVerdict(compareSides(baseline, sideOf(laterRates, MAX_RUNS)));
}

/** Returns each verdict's share of such comparisons. */
function simulate(comparisons: number, makeSides: (at: number) => readonly [Measure, Measure]) {
  const verdicts = Array.from({ length: comparisons }, (_, at) => compareUntilDecided(...makeSides(at)));
  const share = (verdict: string) => verdicts.filter((one) => one === verdict).length / comparisons;
  return { regression: share('regression'), inconclusive: share('inconclusive') };
}

function gaussian(random: SeededRandom): number {
  const uniform = () => (random.upTo(999_999) + 1) / 1_000_000;
  return Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

describe('with rates that vary by 10 % and 20 runs in the baseline', () => {
  const COMPARISONS = 100;
  const random = seededRandom(1);
  const measure =
    (factor: number): Measure =>
    () =>
      Array.from({ length: MAX_RUNS }, () => factor * 1e9 * Math.exp(0.1 * gaussian(random)));
  const simulateDrop = (factor: number) => simulate(COMPARISONS, () => [measure(1), measure(factor)]);

  test('equal disks fail in less than 5 % of the comparisons, and less than 5 % are inconclusive', () => {
    const { regression, inconclusive } = simulateDrop(1);
    expect(regression).toBeLessThan(0.05);
    expect(inconclusive).toBeLessThan(0.05);
  });

  test.each([
    [20, 0.95],
    [40, 0.99],
  ])('a drop of $0 percent is found with a probability of at least $1', (percent, share) => {
    expect(simulateDrop(1 - percent / 100).regression).toBeGreaterThanOrEqual(share);
  });
});

describe('with rates recorded on a busy machine', () => {
  const from = (start: number, factor = 1): Measure => {
    return (step) => RECORDED[step].slice(start, start + MAX_RUNS).map((rate) => rate * factor);
  };
  const starts = Array.from({ length: 5 }, (_, at) => at * 30);
  const pairs = starts.flatMap((one) => starts.map((other) => [one, other] as const));

  test('a disk is no regression of itself at another time in more than 95 % of the comparisons', () => {
    const { regression } = simulate(pairs.length, (at) => {
      const [one = 0, other = 0] = pairs[at] ?? [];
      return [from(one), from(other)];
    });
    expect(regression).toBeLessThan(0.05);
  });

  test('an interval of three runs in a row covers the mean of all runs in at least 36 of 40 cases', () => {
    for (const step of STEPS) {
      const { mean } = computeStatistics(RECORDED[step]);
      const groups = Array.from({ length: 40 }, (_, at) => RECORDED[step].slice(3 * at, 3 * at + 3));
      const covered = groups.filter((group) => {
        const { low = 0, high = 0 } = computeStatistics(group).confidence95 ?? {};
        return low <= mean && mean <= high;
      });
      expect(covered.length).toBeGreaterThanOrEqual(36);
    }
  });
});

const varied = [90, 110, 95, 105, 100];

test('the number of runs that would decide grows with the noise, and is unknown if no sensible number would', () => {
  const spread = (factor: number) => varied.map((value) => 100 + factor * (value - 100));
  const counts = [0.5, 1, 1.5, 2].map((factor) => countRunsToDecide(spread(factor), spread(factor), 10));
  expect(counts).toEqual([6, 9, 21, null]);
  expect(countRunsToDecide([100], [90], 10)).toBeNull();
});

test('a large change needs few more runs, even if no sensible number would show that there is none', () => {
  const noisy = [100, 300, 50, 800, 20];
  const faster = noisy.map((value) => 4 * value).toReversed();
  expect(countRunsToDecide(noisy, faster, 10)).toBeNull();
  expect(countRunsToAnswer(noisy, faster, { low: -20, high: 1900 }, 10)).toBe(7);
  expect(countRunsToAnswer(noisy, faster, { low: -60, high: 900 }, 10)).toBe(27);
  expect(countRunsToAnswer(noisy, faster, { low: -80, high: 420 }, 10)).toBeNull();
});
