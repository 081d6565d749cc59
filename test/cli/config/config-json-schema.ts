import * as z from 'zod';
import { getOptionRow, settingRows } from '../../../src/cli/argv/option-rows.js';
import { configSchema, optionSchemas } from '../../../src/cli/config/config-schema.js';
import { SIZE_PATTERN } from '../../../src/text/units.js';

type Json = z.core.JSONSchema.BaseSchema;

/** Text that numeric options also accept: an option that accepts the sample gets the pattern. */
const TEXTS = [
  { sample: '64k', pattern: SIZE_PATTERN.source },
  { sample: '5%', pattern: '^(\\d+\\.?\\d*|\\.\\d+)\\s*%?$' },
] as const;

/** Returns the JSON Schema of config files, in draft 7, which all editors support. */
export function configJsonSchema(): string {
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
    Object.entries(options).map(([name, json]) => [name, describe(name, json)]),
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

/** Adds the text of the help and the default. */
function describe(name: string, json: Json): Json {
  const { help, defaultText } = getOptionRow(name);
  return {
    description: defaultText === undefined ? help : `${help} (default: ${defaultText})`,
    ...withText(name, json),
  };
}

function withText(name: string, json: Json): Json {
  const pattern = TEXTS.find(({ sample }) => optionSchemas[name]?.safeParse(sample).success)?.pattern;
  if (json.type === 'array') {
    const words = `(${((json.items as Json).enum ?? []).join('|')})`;
    return { anyOf: [json, { type: 'string', pattern: `^ *${words}( *, *${words}| +${words})* *$` }] };
  }
  return json.type === 'string' || json.anyOf || pattern === undefined
    ? json
    : { anyOf: [json, { type: 'string', pattern }] };
}

export const OPTION_NAMES: readonly string[] = Object.keys(settingRows);
