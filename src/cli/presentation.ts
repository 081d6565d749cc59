import * as z from 'zod';
import { GobonnieError } from '../errors.js';
import { formatOf } from './report-files.js';

/** How the command line wants its answer; the benchmark itself knows nothing of it. */
const presentationSchema = z
  .object({
    json: z.boolean().default(false),
    verbose: z.boolean().default(false),
    quiet: z.boolean().default(false),
    dryRun: z.boolean().default(false),
    /** Files for the full report. */
    out: z.array(z.string()).default([]),
  })
  .refine(({ quiet, verbose }) => !(quiet && verbose));

export type Presentation = z.output<typeof presentationSchema>;

export function judgePresentation(input: unknown): Presentation {
  const verdict = presentationSchema.safeParse(input);
  if (verdict.success) {
    for (const file of verdict.data.out) formatOf(file);
    return verdict.data;
  }
  throw new GobonnieError(
    'option-invalid',
    '--quiet and --verbose contradict each other',
    'pass one of them',
  );
}
