import { expect, test } from 'vitest';
import { hangingIndent, wrapLine, wrapParts } from '../../src/text/wrap.js';

test('a line is wrapped between words, and its continuation is indented', () => {
  expect(wrapLine('one two three', 14)).toEqual(['one two three']);
  expect(wrapLine('one two three', 13)).toEqual(['one two', '  three']);
  expect(wrapLine('within 95 % of all', 11)).toEqual(['within', '  95 % of', '  all']);
});

test('a text after a head continues below its start', () => {
  expect(hangingIndent('head: ', 'one two three', 14)).toEqual(['head: one two', '      three']);
});

test('parts are wrapped between each other, or between words if a part is too long', () => {
  expect(wrapParts(['one two', 'three', 'four'], 18)).toEqual(['one two   three', '  four']);
  expect(wrapParts(['one two', 'three four'], 20)).toEqual(['one two', '  three four']);
  expect(wrapParts(['a part of many words', 'b'], 14, '> ')).toEqual(['> a part of', '  many words', '  b']);
});
