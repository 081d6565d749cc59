import * as library from 'gobonnie';
import { expect, test } from 'vitest';

test('the library exports exactly its functions, formats, schemas and error class', () => {
  expect(Object.keys(library).toSorted()).toEqual([
    'GobonnieError',
    'check',
    'compare',
    'comparisonFormats',
    'formats',
    'plan',
    'run',
    'schemas',
  ]);
});
