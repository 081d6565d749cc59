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
  /** How noise is told from change: `welch`, or `paired` for runs that were done in turn, one here and one there. */
  readonly method?: Method | undefined;
  /** Give a verdict even if the target or the options differ. */
  readonly force?: boolean | undefined;
  /** What the two are called where they are shown. */
  readonly names?: readonly [before: string, after: string] | undefined;
}

/** Two results side by side, and what it comes to. */
export interface Compared extends Comparison {
  /**
   * `unlike`: they differ in more than their figures (`differences`), so that there is no verdict. `regression`: some
   * figure is worse by more than may be. `unsure`: none is, but one is so noisy that it could be. Else `fine`.
   */
  readonly verdict: Verdict | 'unlike';
}

const MOST_PERCENT = 100;

/**
 * Holds one result against another, as `gobonnie compare` does. Each side may be a list: of several results of the same
 * thing all runs count together. With several runs a t-test tells change from noise; a single one beside them is taken to
 * be as noisy.
 *
 * Throws a `GobonnieError` where a side cannot be read, where they have no figure in common, and where the method is
 * `paired` and the runs do not stand in pairs.
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
    names: [beforeName, afterName] = ['before', 'after'],
    ...unknown
  }: CompareOptions = {},
): Compared {
  refuseUnknown(unknown);
  refuseOddPercent(maxRegressionPercent);
  chosen(METHODS, method, `method ${shown(method)}`);
  const comparison = compareSubjects(
    subjectOf(beforeName, resultsOf(before, beforeName)),
    subjectOf(afterName, resultsOf(after, afterName)),
    { maxRegressionPercent, method, force },
  );
  if (method === 'paired') refuseUnpaired(comparison);
  return { ...comparison, verdict: verdictOf(comparison) ?? 'unlike' };
}

function resultsOf(given: Comparable | readonly Comparable[], name: string): readonly Results[] {
  return [given].flat().flatMap((one: unknown) => {
    if (typeof one === 'string') return readResults(one, name);
    if (typeof one === 'object' && one !== null) return [readObject(one, name)];
    throw new GobonnieError(
      'unreadable',
      `${name} is ${shown(one)}, and no result`,
      "give a report, gobonniego's document, or the text of one",
    );
  });
}

function refuseUnknown(unknown: object): void {
  const [name] = Object.keys(unknown);
  if (name !== undefined)
    throw new GobonnieError(
      'option-unknown',
      `there is no option ${shown(name)}`,
      'the options are maxRegressionPercent, method, force and names',
    );
}

/** Pairs are of runs that were done in turn: what one of the two lacks leaves none. */
function refuseUnpaired({ changes }: Comparison): void {
  const odd = changes.find(({ role, before, after }) => role === 'judged' && before.runs !== after.runs);
  if (!odd) return;
  throw new GobonnieError(
    'option-invalid',
    `the runs do not stand in pairs: of ${odd.name} there are ${odd.before.runs} before and ${odd.after.runs} after`,
    "compare as many runs of each, or with the method 'welch'",
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
