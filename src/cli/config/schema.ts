import * as z from 'zod';
import { optionsSchema, toggle } from '../../options/schema.js';
import type { ConfigName } from '../argv/cli-catalogue.js';
import { rowNamed } from '../argv/option-rows.js';
import { presentationSchema } from '../argv/presentation.js';

const text = z.string().min(1);

/** The options that name a config file or a profile. */
export const sourcesSchema = z.object({
  config: text.optional(),
  noConfig: toggle,
  profile: text.optional(),
} satisfies Record<ConfigName, z.ZodType>);

export type Sources = z.output<typeof sourcesSchema>;

const settings: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  Object.entries<z.ZodType>({ ...optionsSchema.shape, ...presentationSchema.shape }).map(([name, schema]) => [
    name,
    // A single value needs no brackets.
    rowNamed(name).repeatable ? z.union([z.string(), schema]) : schema,
  ]),
);

/** The schema of each option, by name. */
export const optionSchemas: Readonly<Record<string, z.ZodType>> = { ...settings, ...sourcesSchema.shape };

/** A config file, or the value of the key in package.json. */
export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  ...settings,
  profiles: z.record(z.string(), z.strictObject(settings)).optional(),
});
