import {
  COMPARISON_METHODS,
  compareSides,
  DEFAULT_MAX_REGRESSION_PERCENT,
  findWorstVerdict,
} from '../compare/comparison.js';
import type { Comparison, ComparisonMethod, ComparisonVerdict } from '../compare/comparison-schema.js';
import { toComparisonSide } from '../compare/side.js';
import { GobonnieError, optionError } from '../errors.js';
import { percentage } from '../options/field-schemas.js';
import type { GobonniegoJson } from '../read/compat/gobonniego.js';
import { readParsedJson, readResults } from '../read/index.js';
import type { Results } from '../report/results.js';
import type { Report } from '../report/schema/report.js';
import { display } from '../text/escape.js';
import { validateChoice } from '../text/suggest.js';

/** A result to compare: a report, gobonniego's document, or the text of anything that `gobonnie show` reads. */
export type ComparisonInput = Report | GobonniegoJson | string;

export interface CompareOptions {
  /** The maximum regression in percent; 10 by default. */
  readonly maxRegressionPercent?: number | undefined;
  /** The t-test: `welch` by default, or `paired` for runs that alternated between the two sides. */
  readonly method?: ComparisonMethod | undefined;
  /** Return a verdict even if the target or the options differ. */
  readonly force?: boolean | undefined;
  /** Evaluate timed results even if the page cache served a part of them. */
  readonly allowCached?: boolean | undefined;
  /** The names of the two sides in the result. */
  readonly names?: readonly [before: string, after: string] | undefined;
}

/** Two results side by side, with an overall verdict. */
export interface ComparisonResult extends Comparison {
  /**
   * `incomparable`: target or options differ (see `differences`), so no result has a verdict. `regression`: some result
   * is worse by more than the limit. `inconclusive`: some result is too noisy to rule that out. `cached`: the page cache
   * served a part of every result, or may have. Otherwise `pass`, even if some `changes` have the verdict `cached`.
   */
  readonly verdict: ComparisonVerdict | 'incomparable';
}

/**
 * Compares two results, as `gobonnie compare` does. Each side may be a list of results, whose runs count together. With
 * several runs, a t-test separates change from noise; a single run counts as equally noisy as the other side's runs.
 *
 * Throws a `GobonnieError` if a side cannot be read, if they have no metric in common, or if the method is `paired` and
 * the number of runs differs.
 *
 * @example
 * const options = { size: 0.05, iopsDuration: 0.2, runs: 3, seed: 1 };
 * const [before, after] = [await run(options), await run(options)];
 * const { verdict, changes } = compare(before, after, { maxRegressionPercent: 20 });
 * if (verdict === 'regression') console.log(changes.filter((change) => change.verdict === 'regression'));
 */
export function compare(
  before: ComparisonInput | readonly ComparisonInput[],
  after: ComparisonInput | readonly ComparisonInput[],
  {
    maxRegressionPercent = DEFAULT_MAX_REGRESSION_PERCENT,
    method = 'welch',
    force = false,
    allowCached = false,
    names: [beforeName, afterName] = ['before', 'after'],
    ...unknownOptions
  }: CompareOptions = {},
): ComparisonResult {
  rejectUnknown(unknownOptions);
  rejectInvalidPercent(maxRegressionPercent);
  validateChoice(COMPARISON_METHODS, method, `method ${display(method)}`);
  const comparison = compareSides(
    toComparisonSide(beforeName, readInputs(before, beforeName), allowCached),
    toComparisonSide(afterName, readInputs(after, afterName), allowCached),
    { maxRegressionPercent, method, force },
  );
  if (method === 'paired') rejectUnpaired(comparison);
  return { ...comparison, verdict: findWorstVerdict(comparison) ?? 'incomparable' };
}

function readInputs(input: ComparisonInput | readonly ComparisonInput[], name: string): readonly Results[] {
  return [input].flat().flatMap((value: unknown) => {
    if (typeof value === 'string') return readResults(value, name);
    if (typeof value === 'object' && value !== null) return [readParsedJson(value, name)];
    throw new GobonnieError(
      'input-unreadable',
      `${name} is ${display(value)}, not a result`,
      "pass a report, gobonniego's document, or the text of one",
    );
  });
}

function rejectUnknown(unknownOptions: object): void {
  const [name] = Object.keys(unknownOptions);
  if (name !== undefined)
    throw new GobonnieError(
      'option-unknown',
      `there is no option ${display(name)}`,
      'the options are maxRegressionPercent, method, force, allowCached and names',
    );
}

function rejectUnpaired({ changes }: Comparison): void {
  const unpaired = changes.find(({ role, before, after }) => role === 'gating' && before.runs !== after.runs);
  if (!unpaired) return;
  throw optionError(
    `cannot pair the runs: ${unpaired.name} has ${unpaired.before.runs} before and ${unpaired.after.runs} after`,
    "pass the same number of runs, or use the method 'welch'",
  );
}

function rejectInvalidPercent(percent: number): void {
  if (percentage.safeParse(percent).success) return;
  throw optionError(
    `invalid maxRegressionPercent ${display(percent)}: expected a number from 0 to 100`,
    'for example, { maxRegressionPercent: 5 }',
  );
}
