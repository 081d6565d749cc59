import {
  type Comparison,
  compareSubjects,
  DEFAULT_MAX_REGRESSION_PERCENT,
  METHODS,
  type Method,
  type Verdict,
  verdictOf,
} from '../compare/comparison.js';
import { subjectOf } from '../compare/subject.js';
import { GobonnieError } from '../errors.js';
import type { GobonniegoDocument } from '../read/ancestors/gobonniego-json.js';
import { readObject, readResults } from '../read/index.js';
import type { Results } from '../report/results.js';
import type { Report } from '../report/schema/report.js';
import { chosen } from '../text/choice.js';
import { shown } from '../text/escape.js';

/** A result to compare: a report, gobonniego's document, or the text of anything that `gobonnie show` reads. */
export type Comparable = Report | GobonniegoDocument | string;

export interface CompareOptions {
  /** How much worse than before a figure may be; 10 by default. */
  readonly maxRegressionPercent?: number | undefined;
  /** The test that tells change from noise: `welch`, or `paired` for runs that alternated between the two sides. */
  readonly method?: Method | undefined;
  /** Give a verdict even if the target or the options differ. */
  readonly force?: boolean | undefined;
  /** Judge figures as timed even if memory served a part of them. */
  readonly allowCached?: boolean | undefined;
  /** The names of the two sides in the result. */
  readonly names?: readonly [before: string, after: string] | undefined;
}

/** Two results side by side, with an overall verdict. */
export interface Compared extends Comparison {
  /**
   * `incomparable`: target or options differ (see `differences`), so no figure has a verdict. `regression`: some figure is
   * worse by more than the limit. `inconclusive`: none is, but one is so noisy that it could be. Otherwise `pass`.
   */
  readonly verdict: Verdict | 'incomparable';
}

const MOST_PERCENT = 100;

/**
 * Compares two results, as `gobonnie compare` does. Each side may be a list of results, whose runs count together. With
 * several runs a t-test tells change from noise; a single run on one side is taken to be as noisy as the other side.
 *
 * Throws a `GobonnieError` if a side cannot be read, if they have no figure in common, or if the method is `paired` and
 * the number of runs differs.
 *
 * @example
 * const options = { size: 0.05, iopsDuration: 0.2, runs: 3, seed: 1 };
 * const [before, after] = [await run(options), await run(options)];
 * const { verdict, changes } = compare(before, after, { maxRegressionPercent: 20 });
 * if (verdict === 'regression') console.log(changes.filter((change) => change.verdict === 'regression'));
 */
export function compare(
  before: Comparable | readonly Comparable[],
  after: Comparable | readonly Comparable[],
  {
    maxRegressionPercent = DEFAULT_MAX_REGRESSION_PERCENT,
    method = 'welch',
    force = false,
    allowCached = false,
    names: [beforeName, afterName] = ['before', 'after'],
    ...unknown
  }: CompareOptions = {},
): Compared {
  refuseUnknown(unknown);
  refuseOddPercent(maxRegressionPercent);
  chosen(METHODS, method, `method ${shown(method)}`);
  const comparison = compareSubjects(
    subjectOf(beforeName, resultsOf(before, beforeName), allowCached),
    subjectOf(afterName, resultsOf(after, afterName), allowCached),
    { maxRegressionPercent, method, force },
  );
  if (method === 'paired') refuseUnpaired(comparison);
  return { ...comparison, verdict: verdictOf(comparison) ?? 'incomparable' };
}

function resultsOf(given: Comparable | readonly Comparable[], name: string): readonly Results[] {
  return [given].flat().flatMap((one: unknown) => {
    if (typeof one === 'string') return readResults(one, name);
    if (typeof one === 'object' && one !== null) return [readObject(one, name)];
    throw new GobonnieError(
      'input-unreadable',
      `${name} is ${shown(one)}, not a result`,
      "pass a report, gobonniego's document, or the text of one",
    );
  });
}

function refuseUnknown(unknown: object): void {
  const [name] = Object.keys(unknown);
  if (name !== undefined)
    throw new GobonnieError(
      'option-unknown',
      `there is no option ${shown(name)}`,
      'the options are maxRegressionPercent, method, force, allowCached and names',
    );
}

function refuseUnpaired({ changes }: Comparison): void {
  const odd = changes.find(({ role, before, after }) => role === 'gating' && before.runs !== after.runs);
  if (!odd) return;
  throw new GobonnieError(
    'option-invalid',
    `the runs cannot be paired: ${odd.name} has ${odd.before.runs} before and ${odd.after.runs} after`,
    "pass as many runs of each, or use the method 'welch'",
  );
}

function refuseOddPercent(percent: number): void {
  if (percent >= 0 && percent <= MOST_PERCENT) return;
  throw new GobonnieError(
    'option-invalid',
    `maxRegressionPercent ${shown(percent)} is not a percentage from 0 to 100`,
    'pass for example { maxRegressionPercent: 5 }',
  );
}
