import { expect, test } from 'vitest';
import { rejectOversized } from '../../src/read/guard.js';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const list = (count: number) => `[${'1,'.repeat(count - 1)}1]`;

test.each([
  ['a thousand nested brackets', nested(1000)],
  ['many brackets in a row', nested(2).repeat(5000)],
  ['brackets in a string', `["${'['.repeat(5000)}"]`],
  ['brackets after an escaped quote', `["\\"${'['.repeat(5000)}"]`],
  ['brackets after an escaped backslash', `["\\\\", "${'['.repeat(5000)}"]`],
  ['eight million values', list(8_000_000)],
])('accepts %s', (_, text) => {
  expect(() => rejectOversized(text)).not.toThrow();
});

test.each([
  ['one more bracket', nested(1001), 'it is nested more than 1000 levels deep'],
  ['brackets that are never closed', '{"a":['.repeat(501), 'it is nested more than 1000 levels deep'],
  [
    'brackets after a string that ends in a backslash',
    `["\\\\",${nested(1000)}]`,
    'it is nested more than 1000 levels deep',
  ],
  ['one more value', list(8_000_001), 'it holds more than 8000000 values'],
  ['empty objects', '{},'.repeat(4_000_001), 'it holds more than 8000000 values'],
])('rejects %s', (_, text, reason) => {
  expect(() => rejectOversized(text)).toThrow(reason);
});
