import { describe, expect, test } from 'vitest';
import { display, escapeFormula, sanitize, stringifySafely } from '../../src/text/escape.js';
import { hasControlCharacters } from '../faults/output-violations.js';
import { hostileName, roundTripUtf8 } from '../support/data/hostile.js';
import { seededRandom } from '../support/data/seeded-random.js';
import { pipeThrough } from '../support/programs/pipe-through.js';
import { requireTools } from '../support/tools.js';

test.each(['/tmp', 'D:\\', '0.5', '-1', 'user@host:/export/a=b', '~/x+y,z%20;'])(
  'display returns %s unchanged',
  (value) => {
    expect(display(value)).toBe(value);
  },
);

test.each([
  ['an empty text', '', '""'],
  ['a blank', 'a b', '"a b"'],
  ['a line feed', 'a\nb', '"a\\nb"'],
  ['an escape sequence', '\u001b[31mred', '"\\u001b[31mred"'],
  ['a change of the text direction', 'a\u202eb', '"a\\u202eb"'],
  ['a C1 control (CSI)', 'a\u009b31mb', '"a\\u009b31mb"'],
  ['half a surrogate pair', 'a\ud800b', '"a\\ud800b"'],
])('display quotes %s', (_, value, quoted) => {
  expect(display(value)).toBe(quoted);
});

describe('on Windows', () => {
  test('a quoted path has single backslashes, to paste it', () => {
    expect(display('C:\\a b\\größe', 'win32')).toBe('"C:\\a b\\größe"');
  });

  test.each(['C:\\a "b"', 'C:\\a\u001b[31m'])('%j is escaped like on other systems', (value) => {
    expect(display(value, 'win32')).toBe(display(value, 'linux'));
  });
});

test('display truncates text longer than any path', () => {
  expect(display('x'.repeat(4096))).toBe('x'.repeat(4096));
  expect(display('x'.repeat(1e6))).toBe(`"${'x'.repeat(4095)}…"`);
  expect(display('\u001b'.repeat(1e6))).toBe(`"${'\\u001b'.repeat(4095)}…"`);
});

test('display prints values other than strings like JavaScript', () => {
  const texts = [Number.NaN, undefined, null, 0.5].map((value) => display(value));
  expect(texts).toEqual(['NaN', 'undefined', 'null', '0.5']);
  expect(display(Object.create(null))).toBe('"[Object: null prototype] {}"');
});

test('stringifySafely replaces a lone surrogate by U+FFFD, but keeps the text \\ud800', () => {
  const escapes = ['\\ud800', '\\\\ud800'];
  const read = JSON.parse(stringifySafely([...escapes, '\ud800', '\ud83d\udcbe', '\udc00\ud800']));
  expect(read).toEqual([...escapes, '\ufffd', '💾', '\ufffd\ufffd']);
});

test('sanitize returns a single line, and escapeFormula leaves no formula for a spreadsheet', () => {
  expect(sanitize('a\nb\u001bc\u202ed\u2028e')).toBe('a?b?c?d?e');
  const cells = ['=1', '+1', '-1', '@a', 'a=1', ''].map(escapeFormula);
  expect(cells).toEqual(["'=1", "'+1", "'-1", "'@a", 'a=1', '']);
});

test('jq and JavaScript read the same names from the JSON of stringifySafely', (context) => {
  requireTools('jq')(context);
  const random = seededRandom(6);
  const names = Array.from({ length: 500 }, () => hostileName(random));
  const text = names.map((name) => stringifySafely({ [name]: name })).join('');
  expect(hasControlCharacters(text)).toBe(false);
  const read = pipeThrough('jq', ['-c', '.'], text).trimEnd().split('\n');
  const expected = names.map(roundTripUtf8).map((name) => ({ [name]: name }));
  expect(read.map((line) => JSON.parse(line))).toEqual(expected);
});
