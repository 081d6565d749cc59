import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type RunEvent, schemas } from 'gobonnie';
import { expect, test } from 'vitest';
import { optionCatalogue } from '../../src/options/catalogue.js';
import type { OptionRow } from '../../src/options/row.js';
import { exported } from '../library/declarations.js';
import { ROOT } from '../support/root.js';

const page = readFileSync(path.join(ROOT, 'docs/api.md'), 'utf8');

/** What the page shows as code in its headings and in the first column of its tables. */
const explained = [...page.matchAll(/^(?:##+ |\| )(.*?)(?: \||$)/gm)].flatMap(([, cell = '']) =>
  [...cell.matchAll(/`(\w+)/g)].map(([, name = '']) => name),
);

test('docs/api.md mentions every export', () => {
  expect(exported().length).toBeGreaterThan(40);
  const missing = exported().filter(({ name }) => !explained.includes(name));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

test('every type that docs/api.md names is exported', () => {
  const types = page.slice(page.indexOf('## Types'));
  const named = [...types.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  const names = exported().map(({ name }) => name);
  expect(named.filter((name) => !names.includes(name ?? '') && name !== 'judge' && name !== 'run')).toEqual(
    [],
  );
});

test('docs/api.md has a row for every event', () => {
  const events: Record<RunEvent['type'], true> = {
    start: true,
    'run-start': true,
    'phase-start': true,
    sample: true,
    chore: true,
    'phase-end': true,
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

test('docs/api.md has a row for every option, with the text of the help', async () => {
  const rows = Object.entries<OptionRow>(optionCatalogue).map(
    ([name, { defaultText, help, argument }]) =>
      `| \`${name}\` | ${argument === null ? 'off' : (defaultText ?? '')} | ${help} |\n`,
  );
  const renewed = page.replace(/(?<=^\| option \| default \| \|\n\| --- .*\n)(?:\|.*\n)+/m, rows.join(''));
  await expect(renewed).toMatchFileSnapshot('../../docs/api.md');
});
