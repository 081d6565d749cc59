import { describe, expect, test } from 'vitest';
import type { Series } from '../../src/report/report.js';
import { standstillSeconds } from '../../src/report/standstill.js';

/** What has been done when somebody looks: `[seconds since the last look, operations meanwhile]`, of two threads. */
function seriesOf(steps: readonly (readonly [seconds: number, operations: number])[]): Series {
  let [second, done] = [0, 0];
  const seconds: number[] = [];
  const operations: number[] = [];
  for (const [step, more] of steps) {
    second += step;
    done += more;
    seconds.push(second);
    operations.push(done / 2);
  }
  const track = { operations, bytes: operations.map((count) => count * 512) };
  return { seconds, threads: [track, track] };
}

/** So many looks in their time at what goes on as ever. */
function steady(count: number, seconds = 0.1): readonly (readonly [number, number])[] {
  return Array.from({ length: count }, () => [seconds, seconds * 1000] as const);
}

const ALL = Number.POSITIVE_INFINITY;

describe('the program stood still', () => {
  test.each([
    ['in the midst', [...steady(10), [3, 0], ...steady(10)], 3],
    ['at the start', [[3, 0], ...steady(10)], 3],
    ['at the end', [...steady(10), [3, 0]], 3],
    ['twice', [...steady(10), [3, 0], ...steady(10), [1.5, 0], ...steady(10)], 4.5],
    ['some time after the last look', [...steady(10), [3, 500], ...steady(10)], 2.5],
  ] as const)('%s', (_, steps, seconds) => {
    expect(standstillSeconds(seriesOf(steps), ALL)).toBeCloseTo(seconds);
  });

  test('only as far as the time counts', () => {
    const series = seriesOf([...steady(10), [3, 0]]);
    expect(standstillSeconds(series, 3)).toBeCloseTo(2);
    expect(standstillSeconds(series, 1.5)).toBe(0);
  });
});

describe('it did not', () => {
  test.each([
    ['where all looks are in time', steady(100)],
    [
      'where nothing is done, and the looks are in time: the disk does not answer',
      [...steady(10), ...Array(50).fill([0.1, 0]), ...steady(10)],
    ],
    ['where a look is late, and the work has gone on', [...steady(10), [3, 3000], ...steady(10)]],
    [
      'where a look is late, and more than half of the work has gone on',
      [...steady(10), [3, 1600], ...steady(10)],
    ],
    ['where a look is a little late', [...steady(10), [1.1, 0], ...steady(10)]],
    ['where what is lost is a little', [...steady(10), [1.3, 400], ...steady(10)]],
    ['where there are few looks, as in a phase of hours', [...steady(10, 2), [4, 0], ...steady(10, 2)]],
    ['where nothing is ever done', Array(50).fill([0.1, 0])],
    ['where there was one look', [[0.01, 10]]],
    ['where there was none', []],
  ] as readonly (readonly [string, readonly (readonly [number, number])[]])[])('%s', (_, steps) => {
    expect(standstillSeconds(seriesOf(steps), ALL)).toBe(0);
  });
});
