import * as z from 'zod';
import { toggle } from '../../options/field-schemas.js';
import { optionFields } from '../../options/options-schema.js';
import { type ConfigName, getOptionRow } from '../argv/cli-catalogue.js';
import { cliOptionsSchema } from '../argv/cli-options.js';

export const configSelectionSchema = z.object({
  config: z.string().optional(),
  noConfig: toggle,
  profile: z.string().optional(),
} satisfies Record<ConfigName, z.ZodType>);

const settings: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  Object.entries<z.ZodType>({ ...optionFields.shape, ...cliOptionsSchema.shape }).map(([name, schema]) => [
    name,
    // A single value needs no brackets.
    getOptionRow(name).repeatable ? z.union([z.string(), schema]) : schema,
  ]),
);

export const optionSchemas: Readonly<Record<string, z.ZodType>> = {
  ...settings,
  ...configSelectionSchema.shape,
};

/** A config file, or the value of our key in package.json. */
export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  ...settings,
  profiles: z.record(z.string(), z.strictObject(settings)).optional(),
});
