import { type Comparison, compareSubjects, verdictOf } from '../../compare/comparison.js';
import { subjectOf } from '../../compare/subject.js';
import { GobonnieError } from '../../errors.js';
import { comparisonFormatsIn } from '../../format/people/comparison.js';
import { paintFor } from '../../format/writing/paint.js';
import { chosen } from '../../text/choice.js';
import { harmless } from '../../text/escape.js';
import { flag } from '../../text/sentence.js';
import { colorAsked, formatsAsked, judgePresentation } from '../argv/presentation.js';
import { EXIT_CODES } from '../exit-codes.js';
import { type ReadingProcess, refuseStdinTwice, resultsOf } from '../files/result-files.js';
import { jobOf, tellingOfComparisons, tellJob } from '../output/github.js';
import type { Terminal } from '../output/terminal.js';
import { lookOf } from '../output/terminal-style.js';

interface Comparing {
  readonly files: readonly string[];
  readonly presentation: object;
}

/** Holds one file of results or more against the first; gives the exit code. */
export async function compare(
  { files, presentation: given }: Comparing,
  process: ReadingProcess,
  terminal: Terminal,
): Promise<number> {
  const presentation = judgePresentation(given);
  const { maxRegression, force } = presentation;
  const { color } = lookOf(process.stdout, process, colorAsked(presentation));
  const formats = comparisonFormatsIn(paintFor(color));
  const [asked = 'text'] = formatsAsked(presentation);
  const form = chosen(formats, asked, flag('format', asked), 'to compare');
  refuseStdinTwice(files);
  const subjects = [];
  for (const file of files) {
    const found = await resultsOf(file, process);
    subjects.push(subjectOf(found[0]?.file ?? file, found));
  }
  const [before, ...others] = subjects;
  if (!before) throw new Error('the dialect sees to it that there are two files');
  const comparisons = others.map((after) =>
    compareSubjects(before, after, { maxRegressionPercent: maxRegression, force }),
  );
  terminal.answer(formats[form](comparisons));
  const job = jobOf(process, presentation);
  if (job) await tellJob(job, tellingOfComparisons(comparisons), (line) => terminal.narrate(line));
  const unlike = comparisons.find((one) => verdictOf(one) === null);
  if (unlike) throw unlikenessError(unlike);
  const hasRegressed = comparisons.some((one) => verdictOf(one) === 'regression');
  return hasRegressed ? EXIT_CODES.unmet : EXIT_CODES.done;
}

/** A change may be the doing of what is unlike, and then there is no verdict. */
export function unlikenessError({
  before,
  after,
  differences,
}: Pick<Comparison, 'before' | 'after' | 'differences'>): GobonnieError {
  const told = differences.map((one) => `${one.name} (${one.before} and ${one.after})`).join(', ');
  return new GobonnieError(
    'option-invalid',
    harmless(`${before} and ${after} cannot be compared: they differ in ${told}`),
    'measure both alike, or pass --force',
  );
}
