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

/** Parts of the machine that a program reaches by their keys, such as `Machine['target']['disk']`. */
const MACHINE_PARTS = ['Claim', 'Disk', 'Host', 'LowerCache', 'ProcessLimits', 'SystemError'];

test('every type that a public signature names is exported, but for the parts of the machine', () => {
  const names = new Set(all.map(placeOf));
  const named = all.flatMap((declaration) =>
    findNamedTypes(declaration).map((type) => ({ declaration, type })),
  );
  // One of each kind: from the same file and from another file.
  expect(named.map(({ declaration, type }) => `${declaration.name} ${type.name}`)).toEqual(
    expect.arrayContaining([
      'MetricChange ChangeSide',
      'run OptionsInput',
      'Plan Machine',
      'RunHandle RunEvent',
    ]),
  );
  const hidden = named.filter(({ type }) => !names.has(placeOf(type)) && !MACHINE_PARTS.includes(type.name));
  expect(hidden.map(({ declaration, type }) => `${declaration.name} names ${placeOf(type)}`)).toEqual([]);
});
