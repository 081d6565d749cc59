import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toCommandSide } from '../../src/command/side.js';
import { isAnswered } from '../../src/compare/comparison.js';
import type { ComparisonSide } from '../../src/compare/side.js';
import { compareInTurn } from '../../src/compare/winners.js';
import { Random } from '../../workers/random.js';
import { commandSide } from '../support/data/command-fixtures.js';

/** The times of 300 runs of git status in the same directory, one after another, in ms. */
const recordedMs: readonly number[] = JSON.parse(
  readFileSync(new URL('recorded-times.json', import.meta.url), 'utf8'),
);
const COMPARISONS = 100;
const MIN_ROUNDS = 5;
const MAX_ROUNDS = 100;

/** Returns a side that has only the time, which alone decides. */
function timedSide(name: string, seconds: readonly number[]): ComparisonSide {
  const side = toCommandSide(commandSide(name, seconds));
  return { ...side, samples: side.samples.filter(({ role }) => role === 'gating') };
}

/** Compares consecutive runs, the second side slowed down by a factor, as `ab` does. */
function compareRecorded(random: Random, factor: number) {
  const start = 2 * random.below(recordedMs.length / 2 - MAX_ROUNDS);
  const one: number[] = [];
  const other: number[] = [];
  for (let round = 0; ; round++) {
    const [first = 0, second = 0] = recordedMs.slice(start + 2 * round);
    one.push(round % 2 === 0 ? first : second);
    other.push((round % 2 === 0 ? second : first) * factor);
    if (one.length < MIN_ROUNDS) continue;
    const sides = [timedSide('one', one), timedSide('other', other)] as const;
    const stage = one.length < MAX_ROUNDS ? 'interim' : 'final';
    const [comparison] = compareInTurn(sides, null, stage).comparisons;
    if (comparison && (stage === 'final' || isAnswered(comparison)))
      return compareInTurn(sides, null, 'final').comparisons[0]?.changes[0];
  }
}

function countDirections(factor: number): Partial<Record<string, number>> {
  const random = new Random(34);
  const counts: Record<string, number> = {};
  for (let at = 0; at < COMPARISONS; at++) {
    const direction = String(compareRecorded(random, factor)?.direction);
    counts[direction] = (counts[direction] ?? 0) + 1;
  }
  return counts;
}

test('of 100 comparisons of equal directories, fewer than 5 name a faster side', () => {
  expect(countDirections(1).null).toBeGreaterThan(95);
});

test('of 100 comparisons, at least 95 name a side that is slower by half', () => {
  expect(countDirections(1.5).worse).toBeGreaterThanOrEqual(95);
});
