import { expect, test } from 'vitest';
import { GobonnieError } from '../src/errors.js';

test('the line of an error is its message followed by its hint', () => {
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
] as const)('the error code %s is of kind %s', (code, kind) => {
  expect(new GobonnieError(code, 'message', 'hint').kind).toBe(kind);
});

test('an error keeps its cause', () => {
  const cause = new Error('cause');
  expect(new GobonnieError('sync-failed', 'message', 'hint', { cause }).cause).toBe(cause);
});
