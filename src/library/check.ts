import { evaluateExpectation, parseExpectation } from '../checks/expectation.js';
import { listSteps } from '../options/measured-steps.js';
import type { ExpectationResult, Report } from '../report/schema/report.js';

export interface CheckOptions {
  /** Evaluate timed results even if the page cache served a part of them. */
  readonly allowCached?: boolean | undefined;
}

/**
 * Returns a verdict for each condition, written as for `--expect`. The mean of all complete runs counts; a phase that
 * did not complete fails its conditions.
 *
 * Throws a `GobonnieError` if a condition names no result of the report, or has no valid bound. To show the verdicts in
 * a format, set them as `report.expectations`.
 *
 * @example
 * const report = await run({ size: 0.05, iopsDuration: 0.2 });
 * const missed = check(report, ['write>=20MB/s', 'read.p99<500ms']).filter(({ passed }) => !passed);
 * if (missed.length > 0) console.log(missed);
 */
export function check(
  report: Report,
  conditions: string | readonly string[],
  { allowCached = false }: CheckOptions = {},
): ExpectationResult[] {
  const steps = listSteps(report.options);
  const expectations = [conditions].flat().map((text) => parseExpectation(text, steps));
  return expectations.map((one) => evaluateExpectation(one, report, allowCached));
}
