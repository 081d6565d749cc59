import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { DECIMAL_PATTERN, GIBIBYTES_PATTERN, PERCENTAGE_PATTERN } from '../../src/options/field-schemas.js';
import { type OptionName, optionCatalogue } from '../../src/options/option-catalogue.js';
import type { OptionRow } from '../../src/options/option-row.js';
import { type OptionsInput, optionsSchema } from '../../src/options/options-schema.js';
import { SIZE_PATTERN } from '../../src/text/units.js';
import { SMALL_OPTIONS } from '../support/programs/small-run.js';

interface JsonSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: { readonly enum?: readonly string[] };
}

/** Returns the published schema: with the code's bounds, the help for editors, and numbers and lists also as text. */
function renderSchema(): string {
  const meta = { title: 'Options of gobonnie', description: 'The options of run() and plan().' };
  const schema = z.toJSONSchema(optionsSchema.meta(meta), { io: 'input' }) as JsonSchema;
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => [
    name,
    { description: describeOption(name as OptionName), ...allowText(name as OptionName, property) },
  ]);
  return `${JSON.stringify({ ...schema, properties: Object.fromEntries(properties) }, null, 2)}\n`;
}

/** The text of an option, by its placeholder. */
const TEXT_PATTERNS: Readonly<Record<string, RegExp>> = {
  BYTES: SIZE_PATTERN,
  SIZE: GIBIBYTES_PATTERN,
  PERCENT: PERCENTAGE_PATTERN,
};

function allowText(name: OptionName, { type, ...property }: JsonSchema): object {
  const { items } = property;
  const { argument } = optionCatalogue[name];
  const { source } = TEXT_PATTERNS[argument ?? ''] ?? DECIMAL_PATTERN;
  switch (type) {
    case 'number':
    case 'integer':
      // The seed's default differs in each call.
      return {
        ...(name === 'seed' ? { ...property, default: undefined } : property),
        type: [type, 'string'],
        pattern: source,
      };
    case 'array':
      return {
        ...property,
        type: [type, 'string'],
        ...(items?.enum && { pattern: listPattern(items.enum) }),
      };
    default:
      return { ...property, type };
  }
}

function describeOption(name: OptionName): string {
  const { help, defaultText }: OptionRow = optionCatalogue[name];
  return defaultText === undefined ? help : `${help} (default: ${defaultText})`;
}

/** Words between commas or spaces. */
function listPattern(words: readonly string[]): string {
  const word = `(${words.join('|')})`;
  return `^ *${word}( *, *${word}| +${word})* *$`;
}

test('the published schema is generated from the code', async () => {
  await expect(renderSchema()).toMatchFileSnapshot('../../schema/gobonnie-options.schema.json');
});

describe('a validator with the published schema', () => {
  const published = z.fromJSONSchema(JSON.parse(renderSchema()));

  test.each<OptionsInput>([
    {},
    SMALL_OPTIONS,
    { dir: '/tmp', size: '0.5', threads: '4', blockSize: '64k', ioSize: '4K', seed: 0, phases: 'write,read' },
    { phases: ['write', 'delete-random'], cache: 'keep', direct: true, untilStable: 5, label: 'it' },
    { untilStable: '5%', compressible: '50 %', size: '500M', blockSize: '64KiB', ioSize: '4.5 kB' },
  ])('accepts options that the code accepts: %j', (options) => {
    expect(optionsSchema.safeParse(options).success).toBe(true);
    expect(published.safeParse(options).success).toBe(true);
  });

  test.each([
    { sise: 1 },
    { size: 0 },
    { size: '1e3M' },
    { runs: 1.5 },
    { blockSize: 100 },
    { phases: ['warp'] },
    { label: '' },
    { seed: -1 },
  ])('rejects options that the code rejects: %j', (options) => {
    expect(optionsSchema.safeParse(options).success).toBe(false);
    expect(published.safeParse(options).success).toBe(false);
  });
});
