import { describe, expect, test } from 'vitest';
import { plot } from '../../../../src/format/page/drawing/plot.js';

const FACTS = { label: 'a plot', height: 100, x: 'seconds', y: 'rate' } as const;

function lineOf(name: string, value: number) {
  const points = [[0, value] as const, [10, value] as const];
  return { name, hue: 0, points };
}

function countIn(markup: string, pattern: RegExp): number {
  return markup.match(pattern)?.length ?? 0;
}

test('a single line spans the plot in proportion to its axes, which begin at 0', () => {
  const points = [[0, 0] as const, [5, 10] as const, [10, 5] as const];
  const markup = plot({ ...FACTS, lines: [{ name: '', hue: 0, points }] });
  expect(markup).toContain('<polyline points="0,100 500,0 1000,50"');
});

test('lines of one name are a band from the lowest to the highest with a median, without a name', () => {
  const markup = plot({ ...FACTS, lines: [4, 10, 6].map((value) => lineOf('runs', value)) });
  expect([countIn(markup, /<polyline /g), countIn(markup, /<polygon /g)]).toEqual([1, 1]);
  expect(markup).not.toContain('>runs<');
  const heights = (name: string) =>
    new Set(
      [...(new RegExp(`<${name} points="([^"]*)"`).exec(markup)?.[1] ?? '').matchAll(/,(\d+)/g)].map(
        ([, y]) => y,
      ),
    );
  expect(heights('polyline')).toEqual(new Set(['40']));
  expect(heights('polygon')).toEqual(new Set(['0', '60']));
});

describe('lines of several names', () => {
  test('have their names beside their ends, in the same order and without overlap', () => {
    const markup = plot({ ...FACTS, lines: [lineOf('low', 1), lineOf('high', 10), lineOf('lower', 0.9)] });
    const names = [...markup.matchAll(/y="([\d.]+)"[^>]*class="halo f0">(\w+)</g)];
    expect(names.map(([, , name]) => name)).toEqual(['high', 'low', 'lower']);
    const places = names.map(([, y]) => Number(y));
    expect(places[2]).toBe((places[1] ?? 0) + 14);
  });

  test('differ in their dashes if they have the same hue', () => {
    const markup = plot({ ...FACTS, lines: [lineOf('a', 1), { ...lineOf('b', 2), dashes: 1 }] });
    expect(countIn(markup, /<polyline [^>]*stroke-dasharray="7 3"/g)).toBe(1);
  });
});

test('up to twelve places of a mark are shown, and the first has its name', () => {
  const places = Array.from({ length: 13 }, (_, at) => at / 2);
  const markup = plot({ ...FACTS, lines: [lineOf('', 1)], mark: { text: 'cliff', places } });
  expect(countIn(markup, /<line [^>]*stroke-dasharray/g)).toBe(12);
  expect(countIn(markup, />cliff</g)).toBe(1);
});
