import * as z from 'zod';
import { DEFAULT_MAX_REGRESSION_PERCENT } from '../../compare/comparison.js';
import { contradictionError } from '../../errors.js';
import { formatsByExtension } from '../../format/index.js';
import { fromDecimal, fromPercentage, inBounds, percentage, toggle } from '../../options/field-schemas.js';
import { optionFields } from '../../options/options-schema.js';
import { parseOptions } from '../../options/validate-options.js';
import { flag } from '../../text/message-template.js';
import { selectByExtension } from '../files/report-files.js';
import { cliOptionCatalogue, type configCatalogue, getOptionRow, type RawOptions } from './cli-catalogue.js';

const nonEmptyString = z.string().min(1);

/** How results are printed, written and evaluated. The benchmark itself does not receive these options. */
const cliOptionsSchema = z.object({
  json: toggle,
  format: nonEmptyString.optional(),
  verbose: toggle,
  quiet: toggle,
  dryRun: toggle,
  out: z.array(z.string()).default([]),
  expect: z.array(z.string()).default([]),
  baseline: nonEmptyString.optional(),
  maxRegression: fromPercentage(percentage.default(DEFAULT_MAX_REGRESSION_PERCENT)),
  force: toggle,
  strict: toggle,
  allowCached: toggle,
  /** If undefined, the terminal decides. */
  color: z.boolean().optional(),
  noColor: toggle,
  noGithub: toggle,
  rendezvous: nonEmptyString.optional(),
  ranks: fromDecimal(inBounds(cliOptionCatalogue.ranks).optional()),
  rank: fromDecimal(inBounds(cliOptionCatalogue.rank).optional()),
});

export type CliOptions = z.output<typeof cliOptionsSchema>;

export const configSelectionSchema = z.object({
  config: z.string().optional(),
  noConfig: toggle,
  profile: z.string().optional(),
} satisfies Record<keyof typeof configCatalogue, z.ZodType>);

/** The schemas of the options in a config file. */
export const optionSchemas: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  Object.entries<z.ZodType>({ ...optionFields.shape, ...cliOptionsSchema.shape }).map(([name, schema]) => [
    name,
    // A single value needs no brackets.
    getOptionRow(name).repeatable ? z.union([z.string(), schema]) : schema,
  ]),
);

/** A config file, or the value of our key in package.json. */
export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  ...optionSchemas,
  profiles: z.record(z.string(), z.strictObject(optionSchemas)).optional(),
});

/**
 * Returns the complete options, with --json as a `format` and --no-color as a `color`. Throws a GobonnieError for the
 * first invalid option or unwritable file.
 */
export function validateCliOptions(
  input: RawOptions,
  outFormats: Readonly<Record<string, unknown>> = formatsByExtension,
): CliOptions {
  const parsed = parseOptions(cliOptionsSchema, cliOptionCatalogue, input);
  rejectContradictions(parsed);
  const { out, json, format, noColor, color } = parsed;
  for (const file of out) selectByExtension(outFormats, file);
  return { ...parsed, format: json ? 'json' : format, color: noColor ? false : color };
}

function rejectContradictions({ json, format, quiet, verbose, color, noColor }: CliOptions): void {
  if (color && noColor) throw contradictionError(flag('color'), flag('noColor'));
  if (quiet && verbose) throw contradictionError(flag('quiet'), flag('verbose'));
  if (json && format !== undefined && format !== 'json')
    throw contradictionError(flag('json'), flag('format', format));
}
