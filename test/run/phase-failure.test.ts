import { constants } from 'node:os';
import { describe, expect, test } from 'vitest';
import type { Step } from '../../src/plan/steps.js';
import { phaseFailure } from '../../src/run/measure-step.js';
import { systemHint } from '../../src/system-error.js';
import { getPhase } from '../../workers/phases/phase-catalogue.js';
import type { WorkerFailure } from '../../workers/protocol.js';
import { gobonnieErrorWith } from '../support/data/fixtures.js';

const BUFFERED = { phase: getPhase('read'), transfer: { direct: false } } as Step;
const DIRECT = { ...BUFFERED, transfer: { direct: true } } as Step;

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
    damage: null,
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
  expect(throwing(BUFFERED, [systemFailure('EIO')])).toThrow(
    gobonnieErrorWith(
      'phase-failed',
      `read failed in /mnt/gobonnie-x/bonnie.0 at offset 65536: i/o error (EIO); ${systemHint({ code: 'EIO', errno: -constants.errno.EIO, message: '' })}`,
    ),
  );
});

test('the error for several failed threads describes the first failure and counts the others', () => {
  const failures = [systemFailure('ENOSPC'), systemFailure('EIO'), dataFailure('CORRUPT', 'x')];
  expect(phaseFailure(BUFFERED, failures).message).toMatch(/\(ENOSPC\) \(and 2 more threads failed\)$/);
  expect(phaseFailure(BUFFERED, failures.slice(0, 1)).message).not.toContain('more');
});

test('the error for a failed sync names the file without an offset', () => {
  const { message } = phaseFailure({ ...BUFFERED, phase: getPhase('write') }, [
    systemFailure('EIO', { syscall: 'fsync' }),
  ]);
  expect(message).toBe(
    'write failed in /mnt/gobonnie-x/bonnie.0 while syncing it to the device: i/o error (EIO)',
  );
});

test('a file name with control characters is quoted', () => {
  const { message } = phaseFailure(BUFFERED, [systemFailure('EIO', { file: '/mnt/a\u001b[31m b' })]);
  expect(message).toContain('read failed in "/mnt/a\\u001b[31m b" at offset');
});

test.each([
  ['CORRUPT', 'data mismatch: the data read back differs from what was written', 'changed the data'],
  ['SHORT', 'the file is shorter than the data that was written', 'truncated the file'],
])(
  'the error %s has the code data-corrupt, the worker’s message and advice not to trust the disk',
  (code, words, suspect) => {
    const error = phaseFailure(BUFFERED, [dataFailure(code, words)]);
    expect(error).toMatchObject({ code: 'data-corrupt', kind: 'failure' });
    expect(error.message).toBe(`read failed in /mnt/gobonnie-x/bonnie.0 at offset 65536: ${words}`);
    expect(error.hint).toContain(suspect);
    expect(error.hint).toContain('do not trust this disk');
  },
);

describe('the hint about EINVAL with --direct', () => {
  test('after a failed open the hint states that the filesystem does not support --direct', () => {
    const { hint } = phaseFailure(DIRECT, [systemFailure('EINVAL', { syscall: 'open' })]);
    expect(hint).toBe(
      'this filesystem does not support --direct (O_DIRECT): leave it out, or measure another directory',
    );
  });

  test.each(['read', 'write'])('after a failed %s the hint suggests a larger --io-size', (syscall) => {
    const { hint } = phaseFailure(DIRECT, [systemFailure('EINVAL', { syscall })]);
    expect(hint).toContain('pass --io-size 4k');
  });

  test('other errors, and EINVAL without --direct, have a hint without --direct', () => {
    expect(phaseFailure(DIRECT, [systemFailure('ENOSPC')]).hint).toContain('free some space');
    expect(phaseFailure(BUFFERED, [systemFailure('EINVAL')]).hint).not.toContain('--direct');
  });
});

test('a worker’s bug is thrown as a plain error that keeps its stack', () => {
  const bug = dataFailure('BUG', 'progress is not defined');
  expect(throwing(BUFFERED, [{ ...bug, stack: 'at loop' }])).toThrow(
    expect.objectContaining({ name: 'Error', message: 'progress is not defined', cause: 'at loop' }),
  );
});
