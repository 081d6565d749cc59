import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { compareSides } from '../../../../src/compare/comparison.js';
import { abSchema, comparisonsSchema } from '../../../../src/compare/comparison-schema.js';
import type { ComparisonSide, MetricSample } from '../../../../src/compare/side.js';
import { findWinners } from '../../../../src/compare/winners.js';
import {
  comparisonFormats,
  createComparisonFormats,
} from '../../../../src/format/human/commands/comparison-format.js';
import { inconclusiveLines } from '../../../../src/format/human/commands/conclusion.js';
import { createPaint } from '../../../../src/format/human/screen.js';
import { displayWidth } from '../../../../src/text/width.js';
import { metricWith as sample, sideWith as subject } from '../../../support/data/comparison-sides.js';

const P99 = { unit: 'nanoseconds', better: 'lower', role: 'informational' } as const;
const before = subject('before.json', [
  sample('write', [748e6, 750e6, 746e6]),
  sample('write.p99', [1e6, 1.1e6, 0.9e6], P99),
  sample('read', [1e9, 0.6e9, 1.4e9]),
]);
const after = subject('after.json', [
  sample('write', [600e6, 602e6, 598e6]),
  sample('write.p99', [1e6, 1.2e6, 0.9e6], P99),
  sample('read', [0.9e9, 1.4e9, 0.7e9]),
]);

const comparisonLines = (...comparisons: Parameters<typeof comparisonFormats.text>[0]) =>
  comparisonFormats.text(comparisons).split('\n');

describe('as text', () => {
  test('every rate has a row with both sides, the change, its range and a verdict, and a sentence sums up', () => {
    expect(comparisonLines(compareSides(before, after))).toEqual([
      '       before.json  after.json   change  range             verdict',
      'write     748 MB/s    600 MB/s  -19.8 %  -20.5 to -19.1 %  worse',
      'read    943.5 MB/s    959 MB/s   +1.6 %                    inconclusive',
      '',
      'after.json is 1.25 ± 0.01 times slower than before.json in write, a regression of more than 10 %; ' +
        'inconclusive in read: cannot tell a drop of more than 10 % from noise (too few runs: measure both with --runs 5).',
      '',
    ]);
  });

  test('the option all adds rows for the metrics without a verdict', () => {
    const lines = createComparisonFormats({}, { all: true })
      .text([compareSides(before, after)])
      .split('\n');
    const names = lines.slice(0, 5).map((line) => line.split(/ {2,}/)[0]);
    expect(names).toEqual(['', 'write', 'write.p99', 'read', '']);
    expect(lines[2]).toMatch(/^write\.p99 +997 µs +1\.03 ms +\+2\.9 % .* inconclusive$/);
  });

  describe('the conclusion', () => {
    const steady = [100e6, 101e6, 99e6, 100e6, 100e6];
    const times = (factor: number) => steady.map((value) => value * factor);
    const concludeFrom = (
      one: Readonly<Record<string, readonly number[]>>,
      other: Readonly<Record<string, readonly number[]>>,
      properties: Partial<MetricSample> = {},
    ) => {
      const [a, b] = [one, other].map((values, at) =>
        subject(
          at === 0 ? 'a' : 'b',
          Object.entries(values).map(([name, values]) => sample(name, values, properties)),
        ),
      );
      if (!a || !b) throw new Error('both exist');
      return comparisonLines(compareSides(a, b)).at(-2);
    };

    test.each([
      [
        'regressions',
        times(0.8),
        times(0.5),
        'b is 1.25 ± 0.02 times slower than a in x and 2.00 ± 0.02 times slower in y, a regression of more than 10 %.',
      ],
      ['a small drop', times(0.95), times(1), 'b is 1.05 ± 0.01 times slower than a in x; as fast in y.'],
      [
        'improvements',
        times(1.5),
        times(21),
        'b is 1.50 ± 0.02 times faster than a in x and 21.00 ± 0.26 times faster in y.',
      ],
      [
        'no change and noise',
        times(1),
        [50e6, 200e6, 90e6, 110e6, 100e6],
        'b is as fast as a in x; inconclusive in y: cannot tell a drop of more than 10 % from noise (the results vary too much for more runs to decide; measure both again when the machine is idle).',
      ],
    ])('of %s', (_, x, y, conclusion) => {
      expect(concludeFrom({ x: steady, y: steady }, { x, y })).toBe(conclusion);
    });

    test('never calls a single run better or worse', () => {
      const single = 'a single run may differ by chance: measure both several times, as with --runs 5';
      expect(concludeFrom({ x: [100e6] }, { x: [150e6] })).toBe(`b: inconclusive in x: ${single}.`);
      expect(concludeFrom({ x: [100e6] }, { x: [95e6] })).toBe(`b: inconclusive in x: ${single}.`);
      expect(concludeFrom({ x: [100e6] }, { x: [50e6] })).toBe(`b: inconclusive in x: ${single}.`);
      expect(concludeFrom({ x: [100e6] }, { x: [70e6, 80e6, 90e6] })).toContain(
        '(a has only 1 run: measure it again with --runs 5 or more)',
      );
    });

    test('of a regression names the side with a single run', () => {
      expect(concludeFrom({ x: [100e6] }, { x: times(0.1) })).toMatch(
        /slower than a in x, a regression of more than 10 % \(a has only 1 run: measure it again with --runs 5 or more\)\.$/,
      );
    });

    test.each([
      [0.75, 'slower than a in x, perhaps by less than 10 % (rates that vary this much may have drifted; '],
      [0.85, 'slower than a in x, perhaps by less than 10 % (the results vary too much for more runs'],
      [1.16, 'faster than a in x.'],
    ])(
      'agrees with the range of rates that vary by 14 % and have changed by a factor of %d',
      (factor, end) => {
        const noisy = [0.8, 1.2, 1, 0.85, 1.18, 1.02, 0.9, 1.1, 1.05, 0.95].map((share) => share * 1e8);
        expect(concludeFrom({ x: noisy }, { x: noisy.map((value) => value * factor) })).toContain(end);
      },
    );

    test('names a drop that may be small only as slower; the inconclusive lines also name it', () => {
      const x = [83e6, 91e6, 86e6, 92e6, 88e6];
      expect(concludeFrom({ x: steady }, { x })).toMatch(
        /^b is .* in x, perhaps by less than 10 % \(about \d+ runs/,
      );
      const comparison = compareSides(subject('a', [sample('x', steady)]), subject('b', [sample('x', x)]));
      expect(inconclusiveLines(comparison)).toEqual([
        expect.stringMatching(/^b: inconclusive in x: cannot tell /),
      ]);
    });

    test('is inconclusive for the same noise in another order', () => {
      const x = [100e6, 50e6, 200e6];
      expect(concludeFrom({ x }, { x: [100e6, 200e6, 50e6] })).toMatch(/^b: inconclusive in x: /);
    });

    test('is inconclusive for a partly cached result', () => {
      const properties = { isFromDevice: false };
      expect(concludeFrom({ x: steady }, { x: times(9) }, properties)).toBe(
        'b: inconclusive in x: part of the data may be cached (use --allow-cached to compare as timed).',
      );
      const [, row] = comparisonLines(
        compareSides(
          subject('a', [sample('x', steady, properties)]),
          subject('b', [sample('x', times(9), properties)]),
        ),
      );
      expect(row).toMatch(/^x +100 MB\/s +900 MB\/s +\? +inconclusive$/);
    });
  });

  test('each comparison adds columns; the cells of a missing metric are empty', () => {
    const third = subject('third.json', [sample('read', [1e9, 1e9])]);
    const [head, write, read] = comparisonLines(compareSides(before, after), compareSides(before, third));
    const columns = 'change range verdict';
    expect(head?.trim().replace(/ +/g, ' ')).toBe(`before.json after.json ${columns} third.json ${columns}`);
    expect(write).toMatch(/ worse$/);
    expect(read).toMatch(/ inconclusive .* inconclusive$/);
  });

  test('the start of a name that is too long for its column is truncated; the conclusion has the full name', () => {
    const long = subject('/home/someone/results/of/monday.json', after.samples);
    const lines = comparisonLines(compareSides(before, long));
    expect(lines[0]).toContain('  ...f/monday.json  ');
    expect(lines.at(-2)).toMatch(/^\/home\/someone\/results\/of\/monday\.json is 1\.25 /);
    expect(Math.max(...lines.slice(0, 4).map(displayWidth))).toBeLessThan(80);
  });

  test.each([
    [
      ['/bin/cat /usr/lib/os-release', '/bin/wc /usr/lib/os-release'],
      ['/bin/cat...', '/bin/wc...'],
    ],
    [
      ['/mnt/a/long/run.json', '/mnt/b/long/run.json', 'c.json'],
      ['/mnt/a...', '/mnt/b...', 'c.json'],
    ],
    [
      ['bin/tsc --noEmit --strict', './bin/tsc --noEmit --strict'],
      ['...Emit --strict', './...'],
    ],
    [
      ['the/same/directory', 'the/same/directory'],
      ['...ame/directory', '...ame/directory'],
    ],
  ])('the titles of %j are %j', ([first = '', ...others], titles) => {
    const sides = others.map((name) => subject(name, after.samples));
    const comparisons = sides.map((side) => compareSides(subject(first, before.samples), side));
    const [head = ''] = createComparisonFormats({}, { winners: [] }).text(comparisons).split('\n');
    expect(head.split(/ {2,}/).filter((title) => title.includes('.'))).toEqual(titles);
  });

  test.each([
    [1, 80, ['before.json after.json change range verdict']],
    [1, 60, ['before.json after.json change verdict']],
    [1, 48, ['after.json change verdict']],
    [1, 40, ['after.json verdict']],
    [2, 90, ['before.json after.json change verdict third.json change verdict']],
    [2, 60, ['before.json after.json change verdict', 'before.json third.json change verdict']],
  ])('%d comparisons in %d columns have tables with the heads %j', (count, columns, heads) => {
    const others = [after, subject('third.json', after.samples)].slice(0, count);
    const text = createComparisonFormats({ columns }).text(others.map((one) => compareSides(before, one)));
    const tables = text.split('\n\n').slice(0, -1);
    expect(tables.map((table) => table.split('\n')[0]?.trim().replace(/ +/g, ' '))).toEqual(heads);
    const lines = tables.flatMap((table) => table.split('\n'));
    expect(lines.filter((line) => displayWidth(line) >= columns)).toEqual([]);
  });

  describe('a difference', () => {
    const threads = [2, 4].map((value) => [{ name: '--threads', value }]);
    const [two, four] = threads.map((properties) => ({ properties: [properties] }));
    const sides = [
      subject('before.json', before.samples, two),
      subject('after.json', after.samples, four),
    ] as const;

    test('is listed, and prevents a verdict', () => {
      const text = comparisonFormats.text([compareSides(...sides)]);
      expect(text).toContain('\ndifference: --threads is 2 in before.json and 4 in after.json\n');
      expect(text).toMatch(/^write .* -19\.8 % {2}-20\.5 to -19\.1 %$/m);
      expect(text).not.toMatch(/regression|worse|slower/i);
    });

    test('within a side names that side', () => {
      const several = subject('list.json', before.samples, { properties: threads });
      const text = comparisonFormats.text([compareSides(several, subject('after.json', after.samples, two))]);
      expect(text).toContain('\ndifference: --threads is 2 and 4 within list.json\n');
      expect(text).not.toContain('and 2 in after.json');
    });
  });

  test('control characters in names are escaped', () => {
    const steering = 'x\u001b[31m\u202e.json';
    const text = comparisonFormats.text([compareSides(subject(steering, before.samples), after)]);
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cf}\p{Cc}]/u);
  });
});

test('Markdown is a table and a list of conclusions, with names as plain text', () => {
  const text = comparisonFormats.markdown([compareSides(subject('a|<b>.json', before.samples), after)]);
  const [head, rule, ...rest] = text.split('\n');
  expect(head).toBe('|  | a&#124;&#60;b&#62;.json | after.json | change | range | verdict |');
  expect(rule).toBe('| --- | --: | --: | --: | --- | --- |');
  expect(rest[0]).toBe('| write | 748 MB/s | 600 MB/s | -19.8 % | -20.5 to -19.1 % | worse |');
  expect(rest.at(-2)).toMatch(/^- after\.json is 1\.25 ± 0\.01 times slower than /);
});

test('worse is red, better green and inconclusive yellow, and colours do not change the alignment', () => {
  const times = (factor: number) => [100e6, 101e6, 99e6].map((value) => value * factor);
  const createSide = (name: string, x: number, y: number, z: readonly number[]) =>
    subject(name, [sample('w', times(1)), sample('x', times(x)), sample('y', times(y)), sample('z', z)]);
  const comparison = compareSides(createSide('a', 1, 1, [1e6, 9e6]), createSide('b', 0.5, 2, [5e6, 1e6]));
  const painted = createComparisonFormats({ paint: createPaint(true) }).text([comparison]);
  const words = painted
    .split('\n')
    .slice(1, 5)
    .map((line) => line.split(/ {2,}/).at(-1));
  const inColour = (color: number, word: string) => `\u001b[${color}m${word}\u001b[39m`;
  const colored = [inColour(31, 'worse'), inColour(32, 'better'), inColour(33, 'inconclusive')];
  expect(words).toEqual(['same', ...colored]);
  expect(stripVTControlCharacters(painted)).toBe(comparisonFormats.text([comparison]));
});

test('the JSON is the whole comparison on one line, and matches its schema, even if a change is infinite', () => {
  const comparison = compareSides(
    subject('a', [sample('write', [1e-300, 1e300])]),
    subject('b', [sample('write', [1e308, 1e-308])]),
  );
  const text = comparisonFormats.json([comparison]);
  const document = JSON.parse(text);
  expect(comparisonsSchema.parse(document)).toEqual(document);
  expect(document).toEqual({ schema: 'gobonnie-comparison/1', comparisons: [comparison] });
  expect(text.indexOf('\n')).toBe(text.length - 1);
});

const disk = subject('/disk', [sample('write', [100e6, 106e6, 95e6]), sample('read', [100e6, 60e6, 140e6])]);
const memory = subject('/memory', [
  sample('write', [2e9, 2.1e9, 1.9e9]),
  sample('read', [99e6, 61e6, 139e6]),
]);
const comparisons = [compareSides(disk, memory, { method: 'paired', maxRegressionPercent: null })];
const winners = findWinners([disk, memory]);

test('the JSON of ab matches its schema, and the schema has every key', () => {
  const document = JSON.parse(createComparisonFormats({}, { winners }).json(comparisons));
  expect(abSchema.parse(document)).toEqual(document);
  expect(document.comparisons).toMatchObject([
    { maxRegressionPercent: null, changes: [{ verdict: null }, { verdict: null }] },
  ]);
});

describe('the conclusion of ab names in one sentence', () => {
  const steady = [100e6, 106e6, 95e6, 102e6, 98e6];
  const noisy = [150e6, 60e6, 140e6, 80e6, 110e6];
  const times = (factor: number) => steady.map((value) => value * factor);
  const createSide = (name: string, x: readonly number[], y = x) =>
    subject(name, [sample('x', x), sample('y', y)]);
  const concludeFrom = (first: ComparisonSide, other: ComparisonSide, isStopped = false) => {
    const comparison = compareSides(first, other, { method: 'paired', maxRegressionPercent: null });
    const formats = createComparisonFormats({}, { winners: findWinners([first, other]), isStopped });
    return formats.text([comparison]).split('\n').at(-2);
  };

  test.each([
    [
      'the winner for each metric',
      createSide('/b', times(2)),
      '/b is 2.00 ± 0.00 times faster than /a in x and 2.00 ± 0.00 times faster than /a in y.',
    ],
    [
      'a directory beside itself',
      createSide('/a', times(1.1)),
      '/a was compared with itself: the differences are noise.',
    ],
    [
      'metrics that hardly differ',
      createSide('/b', [101e6, 105e6, 96e6, 102e6, 97e6]),
      'No difference of more than 10 % in x and y.',
    ],
    [
      'metrics that are too noisy',
      createSide('/b', times(2), noisy),
      '/b is 2.00 ± 0.00 times faster than /a in x; no winner in y: the results vary too much for more runs to decide; run again when the machine is idle.',
    ],
  ])('%s', (_, other, conclusion) => {
    expect(concludeFrom(createSide('/a', steady), other)).toBe(conclusion);
  });

  test('an interruption as the reason for the metrics without a winner', () => {
    expect(concludeFrom(createSide('/a', steady), createSide('/b', times(2), noisy), true)).toBe(
      '/b is 2.00 ± 0.00 times faster than /a in x; no winner in y: let it run to its end.',
    );
  });

  test('two rounds as too few; the table omits an interval that is too wide', () => {
    const a = createSide('/a', [100e6, 106e6]);
    const b = createSide('/b', [200e6, 95e6]);
    expect(concludeFrom(a, b)).toBe('No winner in x and y: too few runs: use --runs 5.');
    const compared = compareSides(a, b, { method: 'paired', maxRegressionPercent: null });
    expect(compared.changes[0]?.intervalPercent?.high).toBeGreaterThan(1e6);
    expect(createComparisonFormats({}, { winners: [] }).text([compared])).toMatch(
      /^x +103 MB\/s +137\.8 MB\/s +\+33\.9 % +inconclusive$/m,
    );
  });

  test('cached results as inconclusive', () => {
    const [a, b] = [createSide('/a', steady), createSide('/b', times(9))].map((one) => ({
      ...one,
      samples: one.samples.map((each) => ({ ...each, isFromDevice: false })),
    }));
    if (!a || !b) throw new Error('both exist');
    expect(concludeFrom(a, b)).toMatch(/^Inconclusive in x and y: part of the data may be cached /);
  });
});

test.each(['json', 'markdown'] as const)('%s of ab has no colours', (format) => {
  const formats = createComparisonFormats({ paint: createPaint(true) }, { winners });
  expect(formats[format](comparisons)).not.toContain('\u001b');
});
