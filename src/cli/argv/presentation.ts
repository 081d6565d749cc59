import * as z from 'zod';
import { DEFAULT_MAX_REGRESSION_PERCENT } from '../../compare/comparison.js';
import { GobonnieError } from '../../errors.js';
import { invalidOptionError } from '../../options/judge-options.js';
import { fromDecimal, MAX_PERCENT, fromPercentage, toggle } from '../../options/schema.js';
import { flag, type OptionRef, msg } from '../../text/sentence.js';
import { formatNameOf } from '../files/report-files.js';
import { type PresentationName, presentationCatalogue } from './cli-catalogue.js';

const text = z.string().min(1);
const MOST_RANKS = 65_536;

/** How results are printed, written and judged. The benchmark itself does not see it. */
export const presentationSchema = z.object({
  json: toggle,
  format: text.optional(),
  verbose: toggle,
  quiet: toggle,
  dryRun: toggle,
  out: z.array(z.string()).default([]),
  expect: z.array(z.string()).default([]),
  baseline: text.optional(),
  maxRegression: fromPercentage(z.number().min(0).max(MAX_PERCENT).default(DEFAULT_MAX_REGRESSION_PERCENT)),
  force: toggle,
  allowCached: toggle,
  /** Left out: the terminal decides. */
  color: z.boolean().optional(),
  noColor: toggle,
  noGithub: toggle,
  rendezvous: text.optional(),
  ranks: fromDecimal(z.int().min(2).max(MOST_RANKS).optional()),
  rank: fromDecimal(z.int().min(0).max(MOST_RANKS).optional()),
});

export type Presentation = z.output<typeof presentationSchema>;

/** Returns the complete options, or throws a GobonnieError for the first one that is wrong, also for a file that cannot be written. */
export function judgePresentation(
  input: object,
  refuseFile: (file: string) => void = formatNameOf,
): Presentation {
  const verdict = presentationSchema.safeParse(input);
  if (!verdict.success) {
    const name = verdict.error.issues[0]?.path[0] as PresentationName;
    throw invalidOptionError(name, presentationCatalogue[name], (input as Record<string, unknown>)[name]);
  }
  const presentation = verdict.data;
  refuseContradictions(presentation);
  for (const file of presentation.out) refuseFile(file);
  return presentation;
}

/** The formats to print on stdout: the one that was asked for, or the usual ones. */
export function formatsAsked(
  { json, format = json ? 'json' : undefined }: Presentation,
  usual: readonly string[] = [],
): readonly string[] {
  return format === undefined ? usual : [format];
}

/** Whether to use colours; undefined if the options do not say. */
export function colorAsked({ color, noColor }: Pick<Presentation, 'color' | 'noColor'>): boolean | undefined {
  return noColor ? false : color;
}

function refuseContradictions({ json, format, quiet, verbose, color, noColor }: Presentation): void {
  if (color && noColor) throw contradiction(flag('color'), flag('noColor'));
  if (quiet && verbose) throw contradiction(flag('quiet'), flag('verbose'));
  if (json && format !== undefined && format !== 'json')
    throw contradiction(flag('json'), flag('format', format));
}

export function contradiction(one: OptionRef, other: OptionRef): GobonnieError {
  return new GobonnieError(
    'option-invalid',
    msg`${one} and ${other} contradict each other`,
    'pass one of them',
  );
}
