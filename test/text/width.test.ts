import { expect, test } from 'vitest';
import { createPaint } from '../../src/format/human/screen.js';
import { displayWidth, truncateStart } from '../../src/text/width.js';

test.each([
  ['', 0],
  ['/mnt/disk', 9],
  ['e\u0301', 1],
  ['\u200e\u202a', 0],
  ['磁盘', 4],
  ['💾', 2],
  ['▁█·✓', 4],
])('%j takes %d columns', (text, columns) => {
  expect(displayWidth(text)).toBe(columns);
  expect(displayWidth(createPaint(true).bad(text))).toBe(columns);
});

test('the start of a text that is too wide is truncated', () => {
  expect(truncateStart('/mnt/disk', 9)).toBe('/mnt/disk');
  expect(truncateStart('/mnt/disk', 8)).toBe('.../disk');
  expect(truncateStart('/磁盘磁盘', 8)).toBe('...磁盘');
});
