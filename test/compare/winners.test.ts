import { expect, test } from 'vitest';
import type { ComparisonSide, MetricSample } from '../../src/compare/side.js';
import { findWinners } from '../../src/compare/winners.js';
import { metricWith, sideWith } from '../support/data/comparison-sides.js';

function subject(
  name: string,
  samples: Readonly<Record<string, readonly number[]>>,
  facts?: Partial<MetricSample>,
): ComparisonSide {
  return sideWith(
    name,
    Object.entries(samples).map(([metric, values]) => metricWith(metric, values, facts)),
  );
}

const QUICK = { write: [200, 210, 190, 205, 195] };
const SLOW = { write: [100, 106, 95, 102, 98] };

test('the significantly better subject wins, in any order', () => {
  for (const subjects of [
    [subject('a', SLOW), subject('b', QUICK)],
    [subject('b', QUICK), subject('a', SLOW)],
  ]) {
    const [standing, ...others] = findWinners(subjects);
    expect(others).toEqual([]);
    expect(standing).toMatchObject({ name: 'write', winner: 'b', leader: 'b', runnerUp: 'a' });
    expect(standing?.leadPercent).toBeCloseTo(99.6, 0);
    expect(standing?.intervalPercent?.low).toBeGreaterThan(90);
  }
});

test('a lead that may be noise wins nothing', () => {
  const noisy = subject('b', { write: [150, 60, 140, 80, 110] });
  expect(findWinners([subject('a', SLOW), noisy])).toMatchObject([
    { winner: null, leader: 'b', runnerUp: 'a' },
  ]);
});

test('without a winner, the one that may be as good is named', () => {
  const near = subject('b', { write: [150, 158, 143, 153, 147] });
  const noisy = subject('c', { write: [180, 40, 260, 60, 120] });
  expect(findWinners([subject('a', QUICK), near, noisy])).toMatchObject([
    { winner: null, leader: 'a', runnerUp: 'c', intervalPercent: { low: expect.any(Number) } },
  ]);
});

test('a winner of three is better than both others', () => {
  const near = subject('c', { write: [195, 205, 198, 199, 201] });
  expect(findWinners([subject('a', SLOW), subject('b', QUICK), near])).toMatchObject([
    { winner: null, runnerUp: 'c' },
  ]);
  const far = subject('c', { write: [50, 53, 48, 51, 49] });
  expect(findWinners([subject('a', SLOW), far, subject('b', QUICK)])).toMatchObject([
    { winner: 'b', runnerUp: 'a' },
  ]);
});

test('single runs have no winner', () => {
  expect(findWinners([subject('a', { write: [1] }), subject('b', { write: [9] })])).toMatchObject([
    { winner: null, leader: 'b', leadPercent: 800, intervalPercent: null },
  ]);
});

test('the lower subject wins if less is better', () => {
  const less = { better: 'lower' } as const;
  expect(findWinners([subject('a', SLOW, less), subject('b', QUICK, less)])).toMatchObject([{ winner: 'a' }]);
});

test('a metric that one lacks, or that is only shown, has no standing', () => {
  expect(
    findWinners([subject('a', { ...SLOW, read: [1, 2] }), subject('b', QUICK)]).map(({ name }) => name),
  ).toEqual(['write']);
  expect(
    findWinners([
      subject('a', SLOW, { role: 'informational' }),
      subject('b', QUICK, { role: 'informational' }),
    ]),
  ).toEqual([]);
});

test('there is no winner if memory served one of them, however far ahead that one is', () => {
  const inMemory = subject('cached', { write: [9000, 9100, 8900, 9050, 8950] }, { isFromDevice: false });
  expect(findWinners([subject('a', SLOW), inMemory, subject('b', QUICK)])).toMatchObject([
    { name: 'write', isFromDevice: false, winner: null, leader: 'cached' },
  ]);
});
