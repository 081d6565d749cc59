import { openSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type SystemError, systemHint, systemReason, toGobonnieError } from '../src/system-error.js';
import { renderMessage } from '../src/text/message-template.js';
import { makeDirectory } from './support/disks/directory.js';

test("the reason of a system error is the system's text and code, without the path that Node adds", () => {
  const directory = makeDirectory();
  expect(systemReason(catchError(() => openSync(path.join(directory, 'missing'), 'r')))).toBe(
    'no such file or directory (ENOENT)',
  );
});

test.each([
  {
    code: 'CORRUPT',
    errno: null,
    message: 'data mismatch: the data read back differs from what was written',
  },
  { code: 'EWHAT', errno: -99_999, message: 'a system newer than Node' },
  { message: 'no number at all' },
])('the reason of an error unknown to the system is its message: $message', (error) => {
  expect(systemReason(error)).toBe(error.message);
});

test('a full disk, a read-only disk and an unknown code have different hints', () => {
  const hints = ['ENOSPC', 'EROFS', 'EWHAT', undefined].map((code) =>
    renderMessage(systemHint({ code, message: '' })),
  );
  expect(hints[0]).toContain('--size');
  expect(hints[1]).toContain('read-only');
  expect(hints[2]).toBe(hints[3]);
  expect(new Set(hints).size).toBe(3);
});

test("systemReason escapes control characters in Node's own messages", () => {
  expect(systemReason({ message: "Received '\u202e\u001b[2J\n'" })).toBe(
    "Received '\\u202e\\u001b[2J\\u000a'",
  );
});

test("an error of Node's permission model becomes a GobonnieError, like a failed system call", () => {
  const denied = { code: 'ERR_ACCESS_DENIED', message: 'Access to this API has been restricted.' };
  expect(toGobonnieError(denied)).toMatchObject({
    kind: 'failure',
    line: "Node's permission model forbids this (ERR_ACCESS_DENIED); run node without its permission model",
  });
  expect(toGobonnieError({ code: 'EIO', errno: -5, message: '' })?.line).toMatch(/^i\/o error \(EIO\); /);
});

test.each([{ code: 'ZWHAT', errno: -3 }, { code: 'CORRUPT', errno: 5 }, { errno: -5 }, {}])(
  'toGobonnieError returns null for a bug, with or without an error number: %j',
  (properties) => {
    expect(toGobonnieError(Object.assign(new Error('a bug'), properties))).toBeNull();
  },
);

test.each([
  ['Unknown system error -122', -122, 'disk quota exceeded (EDQUOT); your quota'],
  ['EDQUOT', -122, 'disk quota exceeded (EDQUOT); your quota'],
  ['Unknown system error -117', -117, 'structure needs cleaning (EUCLEAN); the filesystem is damaged'],
])(
  'toGobonnieError converts a Linux error that libuv does not name, from Node or from Bun: %s',
  (code, errno, line) => {
    const error = { code, errno, message: 'what libuv says' };
    expect(toGobonnieError(error)?.line).toContain(line);
  },
);

test('the hint for a removed current directory is to cd to another directory', () => {
  const error = { code: 'ENOENT', errno: -2, syscall: 'uv_cwd', message: '' };
  expect(systemHint(error)).toBe('the current directory was removed: cd to one that exists');
});

function catchError(act: () => unknown): SystemError {
  try {
    act();
  } catch (error) {
    return error as SystemError;
  }
  throw new Error('expected a system error');
}
