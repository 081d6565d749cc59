import { expect, test } from 'vitest';
import type { ComparisonSide, MetricSample } from '../../src/compare/side.js';
import { findWinners } from '../../src/compare/winners.js';
import { metricWith, sideWith } from '../support/data/comparison-sides.js';

function namedSide(
  name: string,
  samples: Readonly<Record<string, readonly number[]>>,
  facts?: Partial<MetricSample>,
): ComparisonSide {
  const all = Object.entries(samples).map(([metric, values]) => metricWith(metric, values, facts));
  return sideWith(name, all);
}

const QUICK = { write: [200, 210, 190, 205, 195] };
const SLOW = { write: [100, 106, 95, 102, 98] };

test('the significantly better side wins, in any order', () => {
  for (const sides of [
    [namedSide('a', SLOW), namedSide('b', QUICK)],
    [namedSide('b', QUICK), namedSide('a', SLOW)],
  ]) {
    const [result, ...others] = findWinners(sides);
    expect(others).toEqual([]);
    expect(result).toMatchObject({ name: 'write', winner: 'b', leader: 'b', runnerUp: 'a' });
    expect(result?.leadPercent).toBeCloseTo(99.6, 0);
    expect(result?.intervalPercent?.low).toBeGreaterThan(90);
  }
});

test('a winner of three is better than both other sides', () => {
  const near = namedSide('c', { write: [195, 205, 198, 199, 201] });
  expect(findWinners([namedSide('a', SLOW), namedSide('b', QUICK), near])).toMatchObject([
    { winner: null, runnerUp: 'c' },
  ]);
  const far = namedSide('c', { write: [50, 53, 48, 51, 49] });
  expect(findWinners([namedSide('a', SLOW), far, namedSide('b', QUICK)])).toMatchObject([
    { winner: 'b', runnerUp: 'a' },
  ]);
});

test('single runs have no winner', () => {
  expect(findWinners([namedSide('a', { write: [1] }), namedSide('b', { write: [9] })])).toMatchObject([
    { winner: null, leader: 'b', leadPercent: 800, intervalPercent: null },
  ]);
});

test('the lower side wins if less is better', () => {
  const less = { better: 'lower' } as const;
  expect(findWinners([namedSide('a', SLOW, less), namedSide('b', QUICK, less)])).toMatchObject([
    { winner: 'a' },
  ]);
});

test('a metric that a side lacks, or that is only shown, is omitted', () => {
  const winners = findWinners([namedSide('a', { ...SLOW, read: [1, 2] }), namedSide('b', QUICK)]);
  expect(winners.map(({ name }) => name)).toEqual(['write']);
  const shown = { role: 'informational' } as const;
  expect(findWinners([namedSide('a', SLOW, shown), namedSide('b', QUICK, shown)])).toEqual([]);
});

test('a partly cached side prevents a winner, however large its lead', () => {
  const cached = namedSide('cached', { write: [9000, 9100, 8900, 9050, 8950] }, { isFromDevice: false });
  expect(findWinners([namedSide('a', SLOW), cached, namedSide('b', QUICK)])).toMatchObject([
    { name: 'write', isFromDevice: false, winner: null, leader: 'cached' },
  ]);
});
