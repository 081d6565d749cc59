import { describe, expect, test } from 'vitest';
import { findCliff } from '../../../src/report/measure/cliff.js';
import type { ProgressPoint } from '../../../src/report/measure/progress.js';
import { Random } from '../../../workers/random.js';

const MB = 1_000_000;
/** Bursts are averaged over half a second, which limits the precision of the time. */
const WINDOW_SECONDS = 0.5;
const STEP_SECONDS = 0.01;
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

/** The rate at each second. */
type Rate = (second: number) => number;

interface Conditions {
  readonly seed?: number;
  /** The maximum deviation of the rate between two samples, as a share. */
  readonly noise?: number;
  /** Progress is counted only at every nth sample. */
  readonly burstSamples?: number;
}

/** Samples about every 0.1 s, sometimes up to 0.6 s apart, each with the progress so far. */
function samples(
  lengthSeconds: number,
  rate: Rate,
  { seed = 1, noise = 0, burstSamples = 1 }: Conditions = {},
) {
  const random = new Random(seed);
  const share = () => random.below(1000) / 1000;
  const points: ProgressPoint[] = [];
  let second = 0;
  let done = 0;
  let counted = 0;
  while (second < lengthSeconds) {
    const isLate = share() < 0.05;
    const end = Math.min(lengthSeconds, second + (isLate ? 0.3 + 0.3 * share() : 0.08 + 0.04 * share()));
    const factor = 1 + noise * (2 * share() - 1);
    for (; second < end; second += STEP_SECONDS) {
      done += rate(second) * factor * Math.min(STEP_SECONDS, end - second);
    }
    second = end;
    if ((points.length + 1) % burstSamples === 0) counted = done;
    points.push({ seconds: second, amount: Math.round(counted) });
  }
  return points;
}

function stepAt(second: number, before: number, after: number): Rate {
  return (now) => (now < second ? before : after);
}

/** The rate with a pause in every period. */
function pausing(rate: Rate, everySeconds: number, pauseSeconds: number): Rate {
  return (now) => ((now + 1) % everySeconds < pauseSeconds ? 0 : rate(now));
}

function expectCliff(cliff: ReturnType<typeof findCliff>, atSeconds: number, before: number, after: number) {
  expect(Math.abs((cliff?.atSeconds ?? 0) - atSeconds)).toBeLessThanOrEqual(WINDOW_SECONDS);
  expect(Math.abs((cliff?.beforePerSecond ?? 0) / before - 1)).toBeLessThanOrEqual(0.1);
  expect(Math.abs((cliff?.afterPerSecond ?? 0) / after - 1)).toBeLessThanOrEqual(0.1);
}

describe('a cliff', () => {
  const cacheFillsUp = stepAt(18, 900 * MB, 120 * MB);

  test('of a full cache is found, with its time and both rates', () => {
    expectCliff(findCliff(samples(60, cacheFillsUp)), 18, 900 * MB, 120 * MB);
  });

  test.each(SEEDS)('is found under noise of 50 %%, seed %i', (seed) => {
    expectCliff(findCliff(samples(60, cacheFillsUp, { seed, noise: 0.5 })), 18, 900 * MB, 120 * MB);
  });

  test('is found between periodic pauses, which count in the rates', () => {
    const cliff = findCliff(samples(60, pausing(cacheFillsUp, 3, 0.5)));
    expectCliff(cliff, 18, (900 * MB * 5) / 6, (120 * MB * 5) / 6);
  });

  test.each([0.15, 0.5, 0.85])('is found at %f of the phase', (share) => {
    expectCliff(findCliff(samples(40, stepAt(40 * share, 100, 30))), 40 * share, 100, 30);
  });

  test('needs a fall to half the rate or less', () => {
    expect(findCliff(samples(40, stepAt(20, 100, 45)))).not.toBeNull();
    expect(findCliff(samples(40, stepAt(20, 100, 55)))).toBeNull();
  });
});

describe('no cliff', () => {
  const steady: Rate = () => 500 * MB;

  test.each<readonly [name: string, lengthSeconds: number, rate: Rate]>([
    ['a pause of half a second in every three', 60, pausing(steady, 3, 0.5)],
    ['a pause of half a second in every three of a short phase', 7, pausing(steady, 3, 0.5)],
    ['a pause of a second in every five', 60, pausing(steady, 5, 1)],
    ['alternating fast and slow periods', 60, pausing(steady, 6, 3)],
    ['two fast and two slow periods', 12, (now) => (now % 6 < 3 ? 500 : 10) * MB],
    ['a linear decline to nothing', 60, (now) => 500 * MB * (1 - now / 60)],
    ['an exponential decline', 60, (now) => 500 * MB * Math.exp(-now / 10)],
    ['a step up', 60, stepAt(20, 100 * MB, 500 * MB)],
    ['a dip that recovers', 60, (now) => (now > 20 && now < 24 ? 20 * MB : 500 * MB)],
    ['a late dip that recovers', 24, (now) => (now > 20 && now < 22.5 ? 20 * MB : 500 * MB)],
    ['a fast start', 60, stepAt(2, 5000 * MB, 500 * MB)],
    ['a slow tail', 60, stepAt(57, 500 * MB, 60 * MB)],
    ['a tail that slows down thread by thread', 60, (now) => (now < 56 ? 4 : Math.ceil(60 - now)) * 100 * MB],
    ['a sync at the end', 30, stepAt(12, 2000 * MB, 0)],
  ])('is found in %s', (_, lengthSeconds, rate) => {
    expect(findCliff(samples(lengthSeconds, rate))).toBeNull();
  });

  test.each(SEEDS)('is found in noise of 50 %%, seed %i', (seed) => {
    expect(findCliff(samples(60, steady, { seed, noise: 0.5 }))).toBeNull();
    expect(findCliff(samples(4, steady, { seed, noise: 0.5 }))).toBeNull();
  });

  test.each(SEEDS)('is found in bursts of buffered writes, seed %i', (seed) => {
    expect(findCliff(samples(20, steady, { seed, burstSamples: 3 }))).toBeNull();
  });

  test.each(SEEDS)('is found in a noisy linear decline, seed %i', (seed) => {
    for (const lengthSeconds of [12, 60]) {
      const decline: Rate = (now) => 500 * MB * (1 - (0.8 * now) / lengthSeconds);
      expect(findCliff(samples(lengthSeconds, decline, { seed, noise: 0.5 }))).toBeNull();
    }
  });

  test('is found if a side lasts less than a second', () => {
    expect(findCliff(samples(3, stepAt(0.8, 900, 100)))).toBeNull();
    expect(findCliff(samples(3, stepAt(2.2, 900, 100)))).toBeNull();
    expect(findCliff(samples(3, stepAt(1.5, 900, 100)))).not.toBeNull();
  });

  test('is found if a side has fewer than eight samples', () => {
    const everySecond = (fast: number, slow: number) =>
      findCliff(
        Array.from({ length: fast + slow }, (_, at) => ({
          seconds: at + 1,
          amount: Math.min(at + 1, fast) * 900 + Math.max(0, at + 1 - fast) * 100,
        })),
      );
    expect(everySecond(6, 20)).toBeNull();
    expect(everySecond(20, 6)).toBeNull();
    expect(everySecond(8, 8)).toEqual({ atSeconds: 8, beforePerSecond: 900, afterPerSecond: 100 });
  });
});
