import * as z from 'zod';
import { DEFAULT_MAX_REGRESSION_PERCENT } from '../../compare/comparison.js';
import { GobonnieError } from '../../errors.js';
import { fromDecimal, fromPercentage, MAX_PERCENT, toggle } from '../../options/options-schema.js';
import { invalidOptionError } from '../../options/validate-options.js';
import { flag, msg, type OptionRef } from '../../text/message-template.js';
import { formatNameFromPath } from '../files/report-files.js';
import { type CliOptionName, cliOptionCatalogue } from './cli-catalogue.js';

const nonEmptyString = z.string().min(1);
const MOST_RANKS = 65_536;

/** How results are printed, written and judged. The benchmark itself does not see it. */
export const cliOptionsSchema = z.object({
  json: toggle,
  format: nonEmptyString.optional(),
  verbose: toggle,
  quiet: toggle,
  dryRun: toggle,
  out: z.array(z.string()).default([]),
  expect: z.array(z.string()).default([]),
  baseline: nonEmptyString.optional(),
  maxRegression: fromPercentage(z.number().min(0).max(MAX_PERCENT).default(DEFAULT_MAX_REGRESSION_PERCENT)),
  force: toggle,
  allowCached: toggle,
  /** Left out: the terminal decides. */
  color: z.boolean().optional(),
  noColor: toggle,
  noGithub: toggle,
  rendezvous: nonEmptyString.optional(),
  ranks: fromDecimal(z.int().min(2).max(MOST_RANKS).optional()),
  rank: fromDecimal(z.int().min(0).max(MOST_RANKS).optional()),
});

export type CliOptions = z.output<typeof cliOptionsSchema>;

/** Returns the complete options, or throws a GobonnieError for the first one that is wrong, also for a file that cannot be written. */
export function validateCliOptions(
  input: object,
  rejectFile: (file: string) => void = formatNameFromPath,
): CliOptions {
  const parsed = cliOptionsSchema.safeParse(input);
  if (!parsed.success) {
    const name = parsed.error.issues[0]?.path[0] as CliOptionName;
    throw invalidOptionError(name, cliOptionCatalogue[name], (input as Record<string, unknown>)[name]);
  }
  const cliOptions = parsed.data;
  rejectContradictions(cliOptions);
  for (const file of cliOptions.out) rejectFile(file);
  return cliOptions;
}

/** The formats to print on stdout: the one that was asked for, or the usual ones. */
export function selectedFormats(
  { json, format = json ? 'json' : undefined }: CliOptions,
  defaults: readonly string[] = [],
): readonly string[] {
  return format === undefined ? defaults : [format];
}

/** Whether to use colours; undefined if the options do not specify it. */
export function colorSetting({ color, noColor }: Pick<CliOptions, 'color' | 'noColor'>): boolean | undefined {
  return noColor ? false : color;
}

function rejectContradictions({ json, format, quiet, verbose, color, noColor }: CliOptions): void {
  if (color && noColor) throw contradictionError(flag('color'), flag('noColor'));
  if (quiet && verbose) throw contradictionError(flag('quiet'), flag('verbose'));
  if (json && format !== undefined && format !== 'json')
    throw contradictionError(flag('json'), flag('format', format));
}

export function contradictionError(one: OptionRef, other: OptionRef): GobonnieError {
  return new GobonnieError(
    'option-invalid',
    msg`${one} and ${other} contradict each other`,
    'pass one of them',
  );
}
