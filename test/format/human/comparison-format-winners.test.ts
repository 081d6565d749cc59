import { describe, expect, test } from 'vitest';
import { compareSides } from '../../../src/compare/comparison.js';
import { abSchema } from '../../../src/compare/comparison-schema.js';
import type { ComparisonSide } from '../../../src/compare/side.js';
import { findWinners } from '../../../src/compare/winners.js';
import { createComparisonFormats } from '../../../src/format/human/comparison-format.js';
import { createPaint } from '../../../src/format/human/paint.js';
import { metricWith as sample, sideWith as subject } from '../../support/data/comparison-sides.js';

const disk = subject('/disk', [sample('write', [100e6, 106e6, 95e6]), sample('read', [100e6, 60e6, 140e6])]);
const memory = subject('/memory', [
  sample('write', [2e9, 2.1e9, 1.9e9]),
  sample('read', [99e6, 61e6, 139e6]),
]);
const comparisons = [compareSides(disk, memory, { method: 'paired', maxRegressionPercent: null })];
const winners = findWinners([disk, memory]);

test('the JSON matches its schema, and the schema has every key', () => {
  const document = JSON.parse(createComparisonFormats({}, winners).json(comparisons));
  expect(abSchema.parse(document)).toEqual(document);
  expect(document.comparisons).toMatchObject([
    { maxRegressionPercent: null, changes: [{ verdict: null }, { verdict: null }] },
  ]);
});

describe('the conclusion names in one sentence', () => {
  const steady = [100e6, 106e6, 95e6, 102e6, 98e6];
  const noisy = [150e6, 60e6, 140e6, 80e6, 110e6];
  const times = (factor: number) => steady.map((value) => value * factor);
  const createSide = (name: string, x: readonly number[], y = x) =>
    subject(name, [sample('x', x), sample('y', y)]);
  const concludeFrom = (first: ComparisonSide, ...others: readonly ComparisonSide[]) => {
    const comparisons = others.map((other) =>
      compareSides(first, other, { method: 'paired', maxRegressionPercent: null }),
    );
    return createComparisonFormats({}, findWinners([first, ...others]))
      .text(comparisons)
      .split('\n')
      .at(-2);
  };

  test.each([
    [
      'the winner for each metric',
      createSide('/b', times(2)),
      '/b wins in x (100 % faster) and y (100 % faster).',
    ],
    [
      'both directories if each wins in a metric',
      createSide('/b', times(2), times(0.5)),
      '/b wins in x (100 % faster); /a wins in y (100 % faster).',
    ],
    [
      'metrics that hardly differ',
      createSide('/b', [101e6, 105e6, 96e6, 102e6, 97e6]),
      'No difference of more than 10 % in x and y.',
    ],
    [
      'metrics that are too noisy',
      createSide('/b', times(2), noisy),
      '/b wins in x (100 % faster); no winner in y: too noisy (use more --runs).',
    ],
  ])('%s', (_, other, conclusion) => {
    expect(concludeFrom(createSide('/a', steady), other)).toBe(conclusion);
  });

  test('the lead of the fastest of three directories over the second', () => {
    expect(
      concludeFrom(createSide('/a', steady), createSide('/b', times(4)), createSide('/c', times(2))),
    ).toBe('/b wins in x (100 % faster than /c) and y (100 % faster than /c).');
  });

  test('two rounds as too few; the table omits an interval that is too wide', () => {
    const a = createSide('/a', [100e6, 106e6]);
    const b = createSide('/b', [200e6, 95e6]);
    expect(concludeFrom(a, b)).toBe('No winner in x and y: too few rounds (use --runs 5).');
    const compared = compareSides(a, b, { method: 'paired', maxRegressionPercent: null });
    expect(compared.changes[0]?.intervalPercent?.high).toBeGreaterThan(1e6);
    expect(createComparisonFormats({}, []).text([compared])).toMatch(
      /^x +103 MB\/s +137\.8 MB\/s +\+33\.9 % +inconclusive$/m,
    );
  });

  test('cached results as inconclusive', () => {
    const [a, b] = [createSide('/a', steady), createSide('/b', times(9))].map((one) => ({
      ...one,
      samples: one.samples.map((each) => ({ ...each, isFromDevice: false })),
    }));
    if (!a || !b) throw new Error('both exist');
    expect(concludeFrom(a, b)).toMatch(/^Inconclusive for x and y: part of the data may be cached /);
  });
});

test.each(['json', 'markdown'] as const)('%s has no colours', (format) => {
  const formats = createComparisonFormats({ paint: createPaint(true) }, winners);
  expect(formats[format](comparisons)).not.toContain('\u001b');
});
