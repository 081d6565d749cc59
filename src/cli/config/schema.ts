import * as z from 'zod';
import { optionsSchema } from '../../options/schema.js';
import type { ConfigName } from '../argv/cli-catalogue.js';
import { rowNamed } from '../argv/option-rows.js';
import { presentationSchema } from '../argv/presentation.js';

const text = z.string().min(1);

/** Where options come from beside flags and variables. */
export const sourcesSchema = z.object({
  config: text.optional(),
  noConfig: z.boolean().default(false),
  profile: text.optional(),
} satisfies Record<ConfigName, z.ZodType>);

export type Sources = z.output<typeof sourcesSchema>;

const settings: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  Object.entries<z.ZodType>({ ...optionsSchema.shape, ...presentationSchema.shape }).map(([name, schema]) => [
    name,
    // A single one needs no brackets.
    rowNamed(name).repeatable ? z.union([z.string(), schema]) : schema,
  ]),
);

/** Of every option by its name, whatever the source. */
export const optionSchemas: Readonly<Record<string, z.ZodType>> = { ...settings, ...sourcesSchema.shape };

/** A file of options, and the key of package.json: those of the benchmark and of its answer, and profiles of them. */
export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  ...settings,
  profiles: z.record(z.string(), z.strictObject(settings)).optional(),
});
