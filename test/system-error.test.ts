import { openSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type SystemError, systemHint, systemReason, toGobonnieError } from '../src/system-error.js';
import { renderMessage } from '../src/text/message-template.js';
import { makeDirectory } from './support/disks/directory.js';

test("a system error's reason is the system's words and the code, without Node's repetition of the path", () => {
  const directory = makeDirectory();
  expect(systemReason(failureOf(() => openSync(path.join(directory, 'missing'), 'r')))).toBe(
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
])('the reason of an error that the system has no name for is its message: $message', (error) => {
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

test("control characters in Node's own messages are escaped", () => {
  expect(systemReason({ message: "Received '\u202e\u001b[2J\n'" })).toBe(
    "Received '\\u202e\\u001b[2J\\u000a'",
  );
});

describe("what Node's permission model refuses", () => {
  const refused = { code: 'ERR_ACCESS_DENIED', message: 'Access to this API has been restricted.' };
  const SWITCH = process.allowedNodeEnvironmentFlags.has('--permission')
    ? '--permission'
    : '--experimental-permission';

  test.each([
    ['FileSystemRead', '/etc/hosts', '--allow-fs-read', '="*"'],
    ['FileSystemWrite', '/mnt/disk/gobonnie-1', '--allow-fs-write', '=/mnt/disk'],
    ['FileSystemWrite', '/mnt/my disk/gobonnie-1', '--allow-fs-write', '="/mnt/my disk"'],
    ['FileSystemWrite', '/proc/1/fd/17/gobonnie-1', '--allow-fs-write', '="*"'],
    ['FileSystemWrite', undefined, '--allow-fs-write', '="*"'],
    ['WorkerThreads', '', '--allow-worker', ''],
  ])('is reported with the flag that allows it: %s for %s', (permission, resource, allowing, value) => {
    const error = { ...refused, permission, ...(resource !== undefined && { resource }) };
    expect(systemReason(error)).toBe(`Node's permission model requires ${allowing}`);
    expect(systemHint(error)).toBe(`add ${allowing}${value}, or run node without ${SWITCH}`);
  });

  test("is reported in Node's words if no flag allows it", () => {
    const error = { ...refused, permission: '', message: 'fsync API is disabled.' };
    expect(systemReason(error)).toBe("Node's permission model does not allow it (fsync API is disabled)");
    expect(systemHint(error)).toBe(`run node without ${SWITCH}`);
  });

  test('is a known error, as a failed system call is', () => {
    expect(toGobonnieError(refused)?.kind).toBe('failure');
    expect(toGobonnieError({ code: 'EIO', errno: -5, message: '' })?.line).toMatch(/^i\/o error \(EIO\); /);
  });
});

test.each([{ code: 'ZWHAT', errno: -3 }, { code: 'CORRUPT', errno: 5 }, { errno: -5 }, {}])(
  'a bug is not taken for a system error, with or without an error number: %j',
  (facts) => {
    expect(toGobonnieError(Object.assign(new Error('a bug'), facts))).toBeNull();
  },
);

test('an error number that libuv has no name for is a system error', () => {
  const error = { code: 'Unknown system error -122', errno: -122, message: 'what libuv says' };
  expect(toGobonnieError(error)?.line).toMatch(/^disk quota exceeded \(EDQUOT\); /);
});

test('the hint for a current directory that was removed is to change to another', () => {
  const error = { code: 'ENOENT', errno: -2, syscall: 'uv_cwd', message: '' };
  expect(systemHint(error)).toBe('the current directory was removed: cd to one that exists');
});

function failureOf(act: () => unknown): SystemError {
  try {
    act();
  } catch (error) {
    return error as SystemError;
  }
  throw new Error('it did not fail');
}
