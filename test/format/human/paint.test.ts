import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { alignedTable } from '../../../src/format/human/aligned-table.js';
import { createPaint } from '../../../src/format/human/paint.js';

test('without colour, every word is unchanged', () => {
  const words = Object.values(createPaint(false)).map((paint) => paint('word'));
  expect(new Set(words)).toEqual(new Set(['word']));
});

test('with colour, each meaning has its own code, which ends after the word', () => {
  const words = Object.values(createPaint(true)).map((paint) => paint('word'));
  expect(new Set(words).size).toBe(words.length);
  for (const word of words) expect(word).toMatch(/^\p{Cc}\[\d+mword\p{Cc}\[\d+m$/u);
  expect(new Set(words.map((word) => stripVTControlCharacters(word)))).toEqual(new Set(['word']));
});

test('colours do not change the alignment of a table', () => {
  const { bad } = createPaint(true);
  const renderTable = (cell: string) =>
    alignedTable(
      [
        ['a', cell, 'z'],
        ['b', 'longer', 'z'],
      ],
      ['left', 'right', 'left'],
    );
  expect(renderTable(bad('word')).map((line) => stripVTControlCharacters(line))).toEqual(renderTable('word'));
});
