import * as library from 'gobonnie';
import { expect, test } from 'vitest';
import { findNamedTypes, listExports } from './declarations.js';

const placeOf = ({ file, name }: { readonly file: string; readonly name: string }) => `${name} of ${file}`;
const all = listExports();

test('the library exports its functions, formats, schemas and error, and nothing else', () => {
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

test('every type that a public signature names is exported, too', () => {
  const names = new Set(all.map(placeOf));
  const named = all.flatMap((declaration) =>
    findNamedTypes(declaration).map((type) => ({ declaration, type })),
  );
  // One of each kind: from the same file, from another file, and from the workers.
  expect(named.map(({ declaration, type }) => `${declaration.name} ${type.name}`)).toEqual(
    expect.arrayContaining([
      'MetricChange ChangeSide',
      'run OptionsInput',
      'Plan Slice',
      'RunHandle RunEvent',
    ]),
  );
  const hidden = named.filter(({ type }) => !names.has(placeOf(type)));
  expect(hidden.map(({ declaration, type }) => `${declaration.name} names ${placeOf(type)}`)).toEqual([]);
});
