import { phases } from '../../workers/phases/catalogue.js';
import { judgeExpectation, parseExpectation } from '../report/expectation.js';
import type { ExpectationVerdict, Report } from '../report/schema/report.js';

/**
 * Whether a report is as it should be: a verdict on each condition, in the words of `--expect`. Of several runs the
 * mean counts, and only complete runs do; what was not measured to its end is not as expected.
 *
 * Throws a `GobonnieError` on a condition that names no figure of the report, or no amount. To have the formats show the
 * verdicts, put them into the report as its `expectations`.
 *
 * @example
 * const report = await run({ size: 0.05, iopsDuration: 0.2 });
 * const missed = judge(report, ['write>=20MB/s', 'read.p99<500ms']).filter(({ isMet }) => !isMet);
 * if (missed.length > 0) console.log(missed);
 */
export function judge(report: Report, conditions: string | readonly string[]): ExpectationVerdict[] {
  const measured = phases.filter(({ name }) => report.options.phases.includes(name));
  return [conditions].flat().map((text) => judgeExpectation(parseExpectation(text, measured), report));
}
