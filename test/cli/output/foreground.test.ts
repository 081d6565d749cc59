import { expect, test } from 'vitest';
import { parseForeground } from '../../../src/cli/output/foreground.js';

test.each([
  ['its group is in front', '12830 (node) S 12823 12830 12823 34816 12830 4194304 0', true],
  ['another one is', '12830 (node) S 12823 12830 12823 34816 12823 4194304 0', false],
  ['it is one of the group in front', '12831 (node) S 12830 12830 12823 34816 12830 4194304 0', true],
  ['there is no terminal', '12830 (node) S 12823 12830 12823 0 -1 4194304 0', true],
  ['its name looks like the rest', '12830 (a) S 1 2 3 4 5) S 12823 12830 12823 34816 12823 4194304 0', false],
])('the screen is ours to draw on where %s: %j', (_, line, expected) => {
  expect(parseForeground(line)).toBe(expected);
});
