import { expect, test } from 'vitest';
import { columnAhead, sparkline } from '../../../src/cli/progress/sparkline.js';

test('each column is as high as its value beside the highest', () => {
  expect(sparkline([0, 1, 2, 3, 4, 5, 6, 7], true)).toBe('▁▂▃▄▅▆▇█');
  expect(sparkline([700, 350, 0, 700], true)).toBe('█▅▁█');
});

test('in ASCII it has as many heights', () => {
  expect(sparkline([0, 1, 2, 3, 4, 5, 6, 7], false)).toBe('_-~=+*%#');
});

test.each([true, false])('where nothing moves it is flat: %j', (unicode) => {
  expect(sparkline([0, 0], unicode)).toBe(unicode ? '▁▁' : '__');
  expect(sparkline([], unicode)).toBe('');
});

test('a value below nothing is nothing', () => {
  expect(sparkline([-5, 5], true)).toBe('▁█');
});

test('what is to come is no height', () => {
  for (const unicode of [true, false])
    expect(sparkline([0, 1, 2, 3, 4, 5, 6, 7], unicode)).not.toContain(columnAhead(unicode));
});
