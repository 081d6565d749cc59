import { expect, test } from 'vitest';
import { atMost, flag, sentence, spelled } from '../../src/text/sentence.js';

test("options in a sentence are spelled as gobonnie's flags by default", () => {
  const text = sentence`pass ${flag('ioSize', 512)}, a smaller ${flag('size')} or ${atMost('threads', 4)}`;
  expect(spelled(text)).toBe('pass --io-size 512, a smaller --size or --threads 4');
  expect(spelled(text, ({ option }) => option.toUpperCase())).toBe('pass IOSIZE, a smaller SIZE or THREADS');
});

test('a value cannot control a terminal, and text that looks like a flag is not respelled', () => {
  const text = sentence`${flag('dir', '\u001b[31m --size')} is in ${'--size'}`;
  expect(spelled(text, ({ value }) => String(value).length.toString())).toBe('12 is in --size');
  expect(spelled(text)).toBe('--dir "\\u001b[31m --size" is in --size');
});

test('a sentence can be part of another', () => {
  const part = sentence`the ${flag('size')}`;
  expect(spelled(sentence`${part} and ${3} more${''}`)).toBe('the --size and 3 more');
  expect(spelled(sentence`only text`)).toBe('only text');
});
