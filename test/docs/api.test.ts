import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type RunEvent, schemas } from 'gobonnie';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { ROOT } from '../support/root.js';

const page = readFileSync(path.join(ROOT, 'docs/api.md'), 'utf8');

/** The names that the library exports. */
const exported = [
  ...readFileSync(path.join(ROOT, 'src/index.ts'), 'utf8').matchAll(/^export (?:type )?\{([^}]*)\}/gm),
].flatMap(([, names = '']) => names.match(/\w+(?=,|\s*$)/g) ?? []);

/** The code in the page's headings and in the first column of its tables. */
const explained = [...page.matchAll(/^(?:##+ |\| )(.*?)(?: \||$)/gm)].flatMap(([, cell = '']) =>
  [...cell.matchAll(/`(\w+)/g)].map(([, name = '']) => name),
);

test('docs/api.md explains every export', () => {
  expect(exported.length).toBeGreaterThan(40);
  expect(exported.filter((name) => !explained.includes(name))).toEqual([]);
});

test('every type that docs/api.md names is exported', () => {
  const types = page.slice(page.indexOf('## Types'));
  const named = [...types.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  expect(named.filter((name = '') => !exported.includes(name))).toEqual([]);
});

test('docs/api.md has a row for every event', () => {
  const events: Record<RunEvent['type'], true> = {
    start: true,
    'run-start': true,
    'step-start': true,
    sample: true,
    activity: true,
    'step-end': true,
    'run-end': true,
    warning: true,
    stall: true,
    end: true,
  };
  expect([...page.matchAll(/^\| `([\w-]+)` \| .* \| .* \|$/gm)].map(([, name]) => name)).toEqual(
    expect.arrayContaining(Object.keys(events)),
  );
});

test('docs/api.md has a row for every schema, with its published JSON Schema', () => {
  for (const name of Object.keys(schemas)) {
    const [, file] =
      page.match(RegExp(`^\\| \`schemas\\.${name}\` \\| .* \\| \`gobonnie/(.*)\` \\|$`, 'm')) ?? [];
    expect(file, name).toBeDefined();
    const published = JSON.parse(readFileSync(path.join(ROOT, String(file)), 'utf8'));
    expect(published.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
  }
});

/** Returns the names of all numbers in a JSON Schema, including arrays and alternatives. */
function findNumbers(schema: object, name = ''): readonly string[] {
  const { type, properties = {}, items, anyOf = [], oneOf = [] } = schema as JsonSchema;
  if (type === 'number' || type === 'integer') return [name];
  const names = Object.entries(properties).flatMap(([key, value]) => findNumbers(value, key));
  if (items) names.push(...findNumbers(items, name));
  return [...names, ...[...anyOf, ...oneOf].flatMap((option) => findNumbers(option, name))];
}

interface JsonSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, object>>;
  readonly items?: object;
  readonly anyOf?: readonly object[];
  readonly oneOf?: readonly object[];
}

test('docs/api.md gives the unit of every number in a report, an event, a comparison and standings', () => {
  const [, rows = ''] = /^\| numbers \| unit \|\n\| --- .*\n((?:\|.*\n)+)/m.exec(page) ?? [];
  const cells = [...rows.matchAll(/^\| (.*?) \|/gm)].map(([, cell = '']) => cell).join();
  const patterns = [...cells.matchAll(/`([\w*]+)`/g)].map(([, text = '']) => text.replace('*', '\\w+'));
  const explainedName = new RegExp(`^(${patterns.join('|')})$`);
  for (const name of ['report', 'event', 'comparisons', 'ab'] as const) {
    const numbers = findNumbers(z.toJSONSchema(schemas[name]));
    expect(numbers.length).toBeGreaterThan(5);
    expect(numbers.filter((number) => !explainedName.test(number))).toEqual([]);
  }
});
