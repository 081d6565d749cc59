import { expect, test } from 'vitest';
import { paintFor } from '../../../src/format/writing/paint.js';
import { endOf, widthOf } from '../../../src/format/writing/width.js';

test.each([
  ['', 0],
  ['/mnt/disk', 9],
  ['Größe', 5],
  ['e\u0301', 1],
  ['\u200e\u202a', 0],
  ['磁盘', 4],
  ['ディスク', 8],
  ['디스크', 6],
  ['ＦＵＬＬ', 8],
  ['💾', 2],
  ['▁█·✓', 4],
])('%j takes %d columns', (text, columns) => {
  expect(widthOf(text)).toBe(columns);
  expect(widthOf(paintFor(true).bad(text))).toBe(columns);
});

test('a text that is too wide is cut at its start', () => {
  expect(endOf('/mnt/disk', 9)).toBe('/mnt/disk');
  expect(endOf('/mnt/disk', 8)).toBe('.../disk');
  expect(endOf('/磁盘磁盘', 8)).toBe('...磁盘');
});
