import { expect, test } from 'vitest';
import { alignedTable, escapeMarkdown, markdownTable } from '../../../src/format/human/aligned-table.js';

const ROWS = [
  ['', 'a', 'change'],
  ['write', '12.5 µs', '+1 %'],
  ['iops', '7', ''],
];

test('columns are aligned left or right, and no line ends in spaces', () => {
  expect(alignedTable(ROWS, ['left', 'right', 'left'])).toEqual([
    '             a  change',
    'write  12.5 µs  +1 %',
    'iops         7',
  ]);
});

test('the first row is the head of a Markdown table', () => {
  expect(markdownTable(ROWS, ['left', 'right', 'left'])).toEqual([
    '|  | a | change |',
    '| --- | --: | --- |',
    '| write | 12.5 µs | +1 % |',
    '| iops | 7 |  |',
  ]);
});

test('characters that are special in Markdown or HTML are escaped', () => {
  expect(escapeMarkdown('a|b<c>`d`*e*_f_[g](h)&~\\@i')).toBe(
    'a&#124;b&#60;c&#62;&#96;d&#96;&#42;e&#42;&#95;f&#95;&#91;g&#93;(h)&#38;&#126;&#92;&#64;i',
  );
});
