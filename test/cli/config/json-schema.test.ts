import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { getOptionRow, settingRows } from '../../../src/cli/argv/cli-catalogue.js';
import { configSchema, optionSchemas } from '../../../src/cli/argv/cli-options.js';
import { validateConfig } from '../../../src/cli/config/config-file.js';
import { PERCENTAGE_PATTERN } from '../../../src/options/field-schemas.js';
import { optionCatalogue } from '../../../src/options/option-catalogue.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { startProcess } from '../../support/programs/program.js';
import { requireTools } from '../../support/tools.js';
import { exampleJson } from './config-directory.js';

const OPTION_NAMES = Object.keys(settingRows);
const SCHEMA = new URL('../../../schema/gobonnie-config.schema.json', import.meta.url);

type Json = z.core.JSONSchema.BaseSchema;

/** Returns the JSON Schema of config files, in draft 7, which all editors support. */
function configJsonSchema(): string {
  const { $schema, properties, ...rest } = z.toJSONSchema(configSchema, {
    target: 'draft-7',
    io: 'input',
    // Some defaults are random or depend on the machine; the descriptions have the other defaults.
    override: ({ jsonSchema }) => {
      delete jsonSchema.default;
    },
  }) as Json;
  const { $schema: schema, profiles, ...options } = properties as Record<string, Json>;
  const describedOptions = Object.fromEntries(
    Object.entries(options).map(([name, json]) => [name, describeOption(name, json)]),
  );
  const document = {
    $schema,
    title: 'Options of gobonnie',
    description: 'gobonnie.config.json, and the key "gobonnie" of package.json',
    ...rest,
    properties: {
      $schema: schema,
      ...describedOptions,
      profiles: {
        ...profiles,
        description: 'named sets of options; with --profile NAME they win over the rest of the file',
        additionalProperties: { ...(profiles?.additionalProperties as Json), properties: describedOptions },
      },
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Refers to the schema of the library's options, so only one file changes with them, or describes the option. */
function describeOption(name: string, json: Json): Json {
  if (name in optionCatalogue) return { $ref: `gobonnie-options.schema.json#/properties/${name}` };
  const { help, defaultText } = getOptionRow(name);
  return {
    description: defaultText === undefined ? help : `${help} (default: ${defaultText})`,
    ...withText(name, json),
  };
}

function withText(name: string, json: Json): Json {
  const isPercentage = optionSchemas[name]?.safeParse('5%').success;
  return json.type === 'string' || json.anyOf || !isPercentage
    ? json
    : { anyOf: [json, { type: 'string', pattern: PERCENTAGE_PATTERN.source }] };
}

test('the published schema is generated from the code', async () => {
  await expect(configJsonSchema()).toMatchFileSnapshot(fileURLToPath(SCHEMA));
});

/** Returns the documents that the validator accepts. */
async function filterValid(documents: readonly object[]): Promise<readonly object[]> {
  const directory = makeDirectory();
  const files = documents.map((document, index) => {
    const file = path.join(directory, `${index}.json`);
    writeFileSync(file, JSON.stringify(document));
    return file;
  });
  const schema = path.join(directory, 'schema.json');
  writeFileSync(schema, configJsonSchema());
  const instances = files.flatMap((file) => ['-i', file]);
  const args = ['-o', 'pretty', '--base-uri', SCHEMA.href, ...instances, schema];
  const { stdout } = await startProcess('jsonschema', args).exitResult;
  const valid = new Set(Array.from(stdout.matchAll(/^===\[SUCCESS\]===\((.*)\)===$/gm), ([, file]) => file));
  return documents.filter((_, index) => valid.has(files[index]));
}

function isAccepted(document: object): boolean {
  try {
    validateConfig({ file: 'x', directory: '/', value: document });
    return true;
  } catch {
    return false;
  }
}

/** Returns a file with the option, and a file with the option in a profile. */
const documentsWith = (name: string, value: unknown) => [
  { [name]: value },
  { profiles: { ci: { [name]: value } } },
];

/** Returns the example of the catalogue, with a number as a number. */
function typedExample(name: string): unknown {
  const value = exampleJson(name);
  return typeof value === 'string' && /^[\d.]+$/.test(value) ? Number(value) : value;
}

/** The schema accepts no numbers as text, and cannot check the bounds of sizes as text. */
const isNumberAsText = (document: object) => /:"\d+[kmg]?"\}/.test(JSON.stringify(document));

test('a validator with the schema accepts and rejects the same documents as gobonnie, except numbers as text', async (context) => {
  requireTools('jsonschema')(context);
  const TEXTS = ['', '0', '7', '64k', '5%', 'may be', 'write, read'];
  const VALUES = [null, {}, [], [5], ['x'], true, false, -1, 0, 1.5, 1e9, 2e9, ...TEXTS];
  const documents = OPTION_NAMES.flatMap((name) =>
    [...VALUES, typedExample(name)].flatMap((value) => documentsWith(name, value)),
  );
  const complete = { $schema: 'x', size: 0.5, out: ['a.json'], phases: ['write'], profiles: { ci: {} } };
  const others = [
    {},
    complete,
    { sise: 1 },
    { profiles: [] },
    { profiles: { ci: 5 } },
    { profiles: { ci: { $schema: '' } } },
    { $schema: 5 },
    { config: 'x' },
  ];
  const candidates = [...documents, ...others].filter((document) => !isNumberAsText(document));
  const valid = await filterValid(candidates);
  expect(valid).toEqual(candidates.filter(isAccepted));
  expect(valid).toContainEqual(complete);
  expect(valid.length).toBeGreaterThan(OPTION_NAMES.length);
});
