import { expect, test } from 'vitest';
import { flag, flagAtMost, msg, renderMessage } from '../../src/text/message-template.js';

test("renderMessage spells options as gobonnie's flags by default", () => {
  const text = msg`pass ${flag('ioSize', 512)}, a smaller ${flag('size')} or ${flagAtMost('threads', 4)}`;
  expect(renderMessage(text)).toBe('pass --io-size 512, a smaller --size or --threads 4');
  expect(renderMessage(text, ({ option }) => option.toUpperCase())).toBe(
    'pass IOSIZE, a smaller SIZE or THREADS',
  );
});

test('renderMessage escapes values, and does not respell text that looks like a flag', () => {
  const text = msg`${flag('dir', '\u001b[31m --size')} is in ${'--size'}`;
  expect(renderMessage(text, ({ value }) => String(value).length.toString())).toBe('12 is in --size');
  expect(renderMessage(text)).toBe('--dir "\\u001b[31m --size" is in --size');
});

test('a message template can contain another template', () => {
  const part = msg`the ${flag('size')}`;
  expect(renderMessage(msg`${part} and ${3} more${''}`)).toBe('the --size and 3 more');
  expect(renderMessage(msg`only text`)).toBe('only text');
});
