import { expect, test } from 'vitest';
import { flag, flagAtMost, mapOptionRefs, msg, renderMessage } from '../../src/text/message-template.js';

test("renderMessage spells options as gobonnie's flags, mapOptionRefs in other ways", () => {
  const text = msg`pass ${flag('ioSize', 512)}, a smaller ${flag('size')} or ${flagAtMost('threads', 4)}`;
  expect(renderMessage(text)).toBe('pass --io-size 512, a smaller --size or --threads 4');
  expect(mapOptionRefs(text, ({ option }) => option.toUpperCase()).join('')).toBe(
    'pass IOSIZE, a smaller SIZE or THREADS',
  );
});

test('renderMessage escapes values, and leaves text that looks like a flag as it is', () => {
  const text = msg`${flag('dir', '\u001b[31m --size')} is in ${'--size'}`;
  expect(renderMessage(text)).toBe('--dir "\\u001b[31m --size" is in --size');
});

test('a message template can contain another template', () => {
  const part = msg`the ${flag('size')}`;
  expect(renderMessage(msg`${part} and ${3} more${''}`)).toBe('the --size and 3 more');
  expect(renderMessage(msg`only text`)).toBe('only text');
});
