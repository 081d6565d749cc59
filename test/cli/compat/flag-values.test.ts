import { expect, test } from 'vitest';
import { parseWholeNumber } from '../../../src/cli/compat/flag-values.js';
import { gobonnieErrorWith } from '../../support/data/fixtures.js';

test.each([
  [undefined, 3],
  ['1', 1],
  ['007', 7],
  ['1024', 1024],
])('%j from 1 to 1024, by default 3, is %i', (text, value) => {
  expect(parseWholeNumber('-p', text, 3, 1, 1024)).toBe(value);
});

test.each(['', '0', '-1', '1.5', 'abc', '1k', '0x10', '1e3', ' 1', '1025', '9007199254740993'])(
  '%j is not a whole number from 1 to 1024',
  (text) => {
    expect(() => parseWholeNumber('-p', text, 3, 1, 1024)).toThrow(
      gobonnieErrorWith(
        'option-invalid',
        `invalid -p ${/[^\w.-]|^$/.test(text) ? JSON.stringify(text) : text}: expected a whole number from 1 to 1024; for example, -p 3`,
      ),
    );
  },
);

test('without a maximum, an error names only the minimum, and its example is valid', () => {
  expect(parseWholeNumber('-r', '0', 0, 0)).toBe(0);
  expect(() => parseWholeNumber('-x', '0', 0, 1)).toThrow(
    gobonnieErrorWith(
      'option-invalid',
      'invalid -x 0: expected a whole number, 1 or more; for example, -x 1',
    ),
  );
});
