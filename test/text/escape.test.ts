import { expect, test } from 'vitest';
import { shown, shownJson } from '../../src/text/escape.js';

test.each(['/tmp', 'D:\\', '0.5', '-1', 'user@host:/export/a=b', '~/x+y,z%20;'])(
  '%s is shown as it is',
  (value) => {
    expect(shown(value)).toBe(value);
  },
);

test.each([
  ['nothing', '', '""'],
  ['a blank', 'a b', '"a b"'],
  ['quotes', 'say "x"', '"say \\"x\\""'],
  ['a line feed', 'a\nb', '"a\\nb"'],
  ['a carriage return', 'a\rb', '"a\\rb"'],
  ['an escape sequence', '\u001b[31mred', '"\\u001b[31mred"'],
  ['a NUL', 'a\0b', '"a\\u0000b"'],
  ['a change of the writing direction', 'a\u202eb', '"a\\u202eb"'],
  ['the mark that begins Arabic', 'a\u061cb', '"a\\u061cb"'],
  ['DEL', 'a\u007fb', '"a\\u007fb"'],
  ['a C1 control (CSI)', 'a\u009b31mb', '"a\\u009b31mb"'],
  ['a line separator', 'a\u2028b', '"a\\u2028b"'],
  ['half a surrogate pair', 'a\ud800b', '"a\\ud800b"'],
  ['letters beyond ASCII', 'größe', '"größe"'],
])('%s is quoted', (_, value, quoted) => {
  expect(shown(value)).toBe(quoted);
});

test('what is longer than any path is cut', () => {
  expect(shown('x'.repeat(4096))).toBe('x'.repeat(4096));
  expect(shown('x'.repeat(1e6))).toBe(`"${'x'.repeat(4095)}…"`);
  expect(shown('\u001b'.repeat(1e6))).toBe(`"${'\\u001b'.repeat(4095)}…"`);
});

test('a value that is no text is shown as JavaScript writes it', () => {
  expect([shown(Number.NaN), shown(undefined), shown(null), shown(0.5)]).toEqual([
    'NaN',
    'undefined',
    'null',
    '0.5',
  ]);
  expect(shown(Object.create(null))).toBe('"[Object: null prototype] {}"');
});

test.each([
  ['abc', '"abc"'],
  [0.5, '0.5'],
  [{ a: [null, true] }, '{"a":[null,true]}'],
  ['\u001b[2J\u202e\u009b\n', '"\\u001b[2J\\u202e\\u009b\\n"'],
  ['x'.repeat(1e6), `"${'x'.repeat(4094)}…`],
])('a value of a document is shown as it stands there, harmlessly and not for ever: %#', (value, text) => {
  expect(shownJson(value)).toBe(text);
});
