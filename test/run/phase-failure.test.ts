import { constants } from 'node:os';
import { describe, expect, test } from 'vitest';
import { phaseFailure } from '../../src/run/phase-failure.js';
import { systemHint } from '../../src/system-error.js';
import type { WorkerFailure } from '../../workers/protocol.js';
import { gobonnieErrorWith } from '../support/data/fixtures.js';

const READ = { name: 'read' } as const;
const BUFFERED = { direct: false } as const;
const DIRECT = { direct: true } as const;

/** A worker's message about a failed system call. */
function systemFailure(
  code: keyof typeof constants.errno,
  facts: Partial<WorkerFailure> = {},
): WorkerFailure {
  return {
    type: 'failure',
    file: '/mnt/gobonnie-x/bonnie.0',
    positionBytes: 65_536,
    code,
    errno: -constants.errno[code],
    syscall: 'read',
    message: `${code}: something`,
    stack: '',
    ...facts,
  };
}

/** A worker's message about damaged data. */
function dataFailure(code: string, message: string): WorkerFailure {
  return systemFailure('EIO', { code, errno: null, syscall: null, message });
}

/** Throws the error, for toThrow(). */
function throwing(...args: Parameters<typeof phaseFailure>): () => never {
  return () => {
    throw phaseFailure(...args);
  };
}

test('the error for a failed operation has the phase, file, offset and reason', () => {
  expect(throwing(READ, [systemFailure('EIO')], BUFFERED)).toThrow(
    gobonnieErrorWith(
      'phase-failed',
      `read failed in /mnt/gobonnie-x/bonnie.0 at offset 65536: i/o error (EIO); ${systemHint({ code: 'EIO', errno: -constants.errno.EIO, message: '' })}`,
    ),
  );
});

test('the error for several failed threads describes the first failure and counts the others', () => {
  const failures = [systemFailure('ENOSPC'), systemFailure('EIO'), dataFailure('CORRUPT', 'x')];
  expect(phaseFailure(READ, failures, BUFFERED).message).toMatch(/\(ENOSPC\) \(and 2 more threads failed\)$/);
  expect(phaseFailure(READ, failures.slice(0, 1), BUFFERED).message).not.toContain('more');
});

test('the error for a failed sync names the file without an offset', () => {
  const { message } = phaseFailure({ name: 'write' }, [systemFailure('EIO', { syscall: 'fsync' })], BUFFERED);
  expect(message).toBe(
    'write failed in /mnt/gobonnie-x/bonnie.0 while syncing it to the device: i/o error (EIO)',
  );
});

test('a file name with control characters is quoted', () => {
  const { message } = phaseFailure(READ, [systemFailure('EIO', { file: '/mnt/a\u001b[31m b' })], BUFFERED);
  expect(message).toContain('read failed in "/mnt/a\\u001b[31m b" at offset');
});

test.each([
  ['CORRUPT', 'data mismatch: the data read back differs from what was written', 'changed the data'],
  ['SHORT', 'the file is shorter than the data that was written', 'truncated the file'],
])(
  'the error %s has the code data-corrupt, the worker’s message and advice not to trust the disk',
  (code, words, suspect) => {
    const error = phaseFailure(READ, [dataFailure(code, words)], BUFFERED);
    expect(error).toMatchObject({ code: 'data-corrupt', kind: 'failure' });
    expect(error.message).toBe(`read failed in /mnt/gobonnie-x/bonnie.0 at offset 65536: ${words}`);
    expect(error.hint).toContain(suspect);
    expect(error.hint).toContain('do not trust this disk');
  },
);

describe('the hint about EINVAL with --direct', () => {
  test('after a failed open the hint states that the filesystem does not support --direct', () => {
    const { hint } = phaseFailure(READ, [systemFailure('EINVAL', { syscall: 'open' })], DIRECT);
    expect(hint).toBe(
      'this filesystem does not support --direct (O_DIRECT): leave it out, or measure another directory',
    );
  });

  test.each(['read', 'write'])('after a failed %s the hint suggests a larger --io-size', (syscall) => {
    const { hint } = phaseFailure(READ, [systemFailure('EINVAL', { syscall })], DIRECT);
    expect(hint).toContain('pass --io-size 4k');
  });

  test('other errors, and EINVAL without --direct, have a hint without --direct', () => {
    expect(phaseFailure(READ, [systemFailure('ENOSPC')], DIRECT).hint).toContain('free some space');
    expect(phaseFailure(READ, [systemFailure('EINVAL')], BUFFERED).hint).not.toContain('--direct');
  });
});

test('a worker’s bug is thrown as a plain error that keeps its stack', () => {
  const bug = dataFailure('BUG', 'progress is not defined');
  expect(throwing(READ, [{ ...bug, stack: 'at loop' }], BUFFERED)).toThrow(
    expect.objectContaining({ name: 'Error', message: 'progress is not defined', cause: 'at loop' }),
  );
});
