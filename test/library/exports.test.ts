import * as library from 'gobonnie';
import { expect, test } from 'vitest';
import { findNamedTypes, listExports } from './declarations.js';

const qualifiedName = ({ file, name }: { readonly file: string; readonly name: string }) =>
  `${name} of ${file}`;
const all = listExports();

test('the library exports exactly its functions, formats, schemas and error class', () => {
  const values = [
    'GobonnieError',
    'compare',
    'comparisonFormats',
    'formats',
    'check',
    'plan',
    'run',
    'schemas',
  ];
  expect(new Set(Object.keys(library))).toEqual(new Set(values));
  expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(values));
});

/** Types that a program can derive from exported types, such as `Machine['target']['disk']`. */
const DERIVABLE_TYPES = ['Disk', 'Host', 'LowerCache', 'RecordContent', 'SystemError'];

test('every type that a public signature names is exported, except types that follow from exported types', () => {
  const names = new Set(all.map(qualifiedName));
  const named = all.flatMap((declaration) =>
    findNamedTypes(declaration).map((type) => ({ declaration, type })),
  );
  // Checks the search itself, with types from the same file and from other files.
  expect(named.map(({ declaration, type }) => `${declaration.name} ${type.name}`)).toEqual(
    expect.arrayContaining([
      'CompareOptions ComparisonMethod',
      'run OptionsInput',
      'Plan Machine',
      'RunHandle RunEvent',
    ]),
  );
  const hidden = named.filter(
    ({ type }) => !names.has(qualifiedName(type)) && !DERIVABLE_TYPES.includes(type.name),
  );
  expect(hidden.map(({ declaration, type }) => `${declaration.name} names ${qualifiedName(type)}`)).toEqual(
    [],
  );
});
