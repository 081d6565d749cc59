import { expect, test } from 'vitest';
import { refuseSprawl } from '../../src/read/guard.js';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const list = (count: number) => `[${'1,'.repeat(count - 1)}1]`;

test.each([
  ['a thousand brackets in each other', nested(1000)],
  ['many one after the other', nested(2).repeat(5000)],
  ['brackets within a text', `["${'['.repeat(5000)}"]`],
  ['brackets behind a quote that is escaped', `["\\"${'['.repeat(5000)}"]`],
  ['brackets behind a backslash that is escaped', `["\\\\", "${'['.repeat(5000)}"]`],
  ['eight million figures', list(8_000_000)],
])('%s may be', (_, text) => {
  expect(() => refuseSprawl(text)).not.toThrow();
});

test.each([
  ['one bracket more', nested(1001), 'it is nested more than 1000 deep'],
  ['brackets that nobody closes', '{"a":['.repeat(501), 'it is nested more than 1000 deep'],
  [
    'brackets behind a text that ends in a backslash',
    `["\\\\",${nested(1000)}]`,
    'it is nested more than 1000 deep',
  ],
  ['a figure more', list(8_000_001), 'it holds more than 8000000 values'],
  ['empty objects', '{},'.repeat(4_000_001), 'it holds more than 8000000 values'],
])('%s may not', (_, text, reason) => {
  expect(() => refuseSprawl(text)).toThrow(reason);
});
