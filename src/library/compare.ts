import {
  COMPARISON_METHODS,
  type Comparison,
  type ComparisonMethod,
  type ComparisonVerdict,
  compareSides,
  DEFAULT_MAX_REGRESSION_PERCENT,
  findWorstVerdict,
} from '../compare/comparison.js';
import { toComparisonSide } from '../compare/side.js';
import { GobonnieError } from '../errors.js';
import type { GobonniegoJson } from '../read/compat/gobonniego-json.js';
import { readParsedJson, readResults } from '../read/index.js';
import type { Results } from '../report/results.js';
import type { Report } from '../report/schema/report.js';
import { validateChoice } from '../text/choice.js';
import { display } from '../text/escape.js';

/** A result to compare: a report, gobonniego's document, or the text of anything that `gobonnie show` reads. */
export type ComparisonInput = Report | GobonniegoJson | string;

export interface CompareOptions {
  /** How much worse than before a result may be; 10 by default. */
  readonly maxRegressionPercent?: number | undefined;
  /** The test that tells change from noise: `welch`, or `paired` for runs that alternated between the two sides. */
  readonly method?: ComparisonMethod | undefined;
  /** Give a verdict even if the target or the options differ. */
  readonly force?: boolean | undefined;
  /** Evaluate timed results even if the page cache served a part of them. */
  readonly allowCached?: boolean | undefined;
  /** The names of the two sides in the result. */
  readonly names?: readonly [before: string, after: string] | undefined;
}

/** Two results side by side, with an overall verdict. */
export interface ComparisonResult extends Comparison {
  /**
   * `incomparable`: target or options differ (see `differences`), so no figure has a verdict. `regression`: some figure is
   * worse by more than the limit. `inconclusive`: none is, but one is so noisy that it could be. Otherwise `pass`.
   */
  readonly verdict: ComparisonVerdict | 'incomparable';
}

const MAX_PERCENT = 100;

/**
 * Compares two results, as `gobonnie compare` does. Each side may be a list of results, whose runs count together. With
 * several runs a t-test tells change from noise; a single run on one side is taken to be as noisy as the other side.
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
  rejectOddPercent(maxRegressionPercent);
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
  return [input].flat().flatMap((one: unknown) => {
    if (typeof one === 'string') return readResults(one, name);
    if (typeof one === 'object' && one !== null) return [readParsedJson(one, name)];
    throw new GobonnieError(
      'input-unreadable',
      `${name} is ${display(one)}, not a result`,
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
  throw new GobonnieError(
    'option-invalid',
    `the runs cannot be paired: ${unpaired.name} has ${unpaired.before.runs} before and ${unpaired.after.runs} after`,
    "pass as many runs of each, or use the method 'welch'",
  );
}

function rejectOddPercent(percent: number): void {
  if (percent >= 0 && percent <= MAX_PERCENT) return;
  throw new GobonnieError(
    'option-invalid',
    `maxRegressionPercent ${display(percent)} is not a percentage from 0 to 100`,
    'pass for example { maxRegressionPercent: 5 }',
  );
}
