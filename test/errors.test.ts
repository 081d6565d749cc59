import { openSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  GobonnieError,
  type SystemError,
  shown,
  shownJson,
  systemHint,
  systemReason,
} from '../src/errors.js';
import { makeDirectory } from './directory.js';

test('an error is one line: what is wrong, then what to do', () => {
  const error = new GobonnieError('size-too-large', '--size 5 needs 5 GiB', 'pass --size 1');
  expect(error.line).toBe('--size 5 needs 5 GiB; pass --size 1');
});

test.each([
  ['option-invalid', 'usage'],
  ['directory-unusable', 'usage'],
  ['size-too-large', 'usage'],
  ['phase-failed', 'failure'],
  ['data-corrupt', 'failure'],
  ['output-failed', 'failure'],
] as const)('%s is a matter of %s', (code, kind) => {
  expect(new GobonnieError(code, 'message', 'hint').kind).toBe(kind);
});

test('an error keeps its cause', () => {
  const cause = new Error('below');
  expect(new GobonnieError('sync-failed', 'message', 'hint', { cause }).cause).toBe(cause);
});

test("a system error's reason is the system's words and the code, without Node's repetition of the path", () => {
  const directory = makeDirectory();
  expect(systemReason(failureOf(() => openSync(path.join(directory, 'missing'), 'r')))).toBe(
    'no such file or directory (ENOENT)',
  );
});

test.each([
  { code: 'CORRUPT', errno: null, message: 'what was read is not what was written' },
  { code: 'EWHAT', errno: -99_999, message: 'a system newer than Node' },
  { message: 'no number at all' },
])('an error that no system names is told by its message: $message', (error) => {
  expect(systemReason(error)).toBe(error.message);
});

test('a full disk and a read-only one have hints of their own, and an unknown code has one, too', () => {
  const hints = ['ENOSPC', 'EROFS', 'EWHAT', undefined].map((code) => systemHint({ code, message: '' }));
  expect(hints[0]).toContain('--size');
  expect(hints[1]).toContain('read-only');
  expect(hints[2]).toBe(hints[3]);
  expect(new Set(hints).size).toBe(3);
});

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

test("Node's own words steer no terminal either", () => {
  expect(systemReason({ message: "Received '\u202e\u001b[2J\n'" })).toBe(
    "Received '\\u202e\\u001b[2J\\u000a'",
  );
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

function failureOf(act: () => unknown): SystemError {
  try {
    act();
  } catch (error) {
    return error as SystemError;
  }
  throw new Error('it did not fail');
}

test.each([
  ['abc', '"abc"'],
  [0.5, '0.5'],
  [{ a: [null, true] }, '{"a":[null,true]}'],
  ['\u001b[2J\u202e\u009b\n', '"\\u001b[2J\\u202e\\u009b\\n"'],
  ['x'.repeat(1e6), `"${'x'.repeat(4094)}…`],
])('a value of a document is shown as it stands there, harmlessly and not for ever: %#', (value, text) => {
  expect(shownJson(value)).toBe(text);
});
