import { describeSpeed, speedFactsOf } from '../../rating/rating.js';
import type { Report } from '../../report/schema/report.js';
import { devSentences, isDevReport } from './commands/dev-text.js';
import { fillSentences } from './commands/fill-text.js';
import { firstReadAnswer } from './commands/first-read-text.js';
import { loadAnswer } from './commands/load-text.js';
import { describeIncomplete, expectationLine } from './sentences.js';

/** Returns the answer about the disk: its speed for its kind or under load, or the answer of `dev`, `fill` or `first-read`. */
export function reportAnswer(report: Report): string | null {
  const filled = fillSentences(report);
  if (filled.length > 0) return filled.join('; ');
  if (isDevReport(report)) return devSentences(report).join(' ') || null;
  return loadAnswer(report) ?? firstReadAnswer(report) ?? describeSpeed(speedFactsOf(report));
}

/** Returns the reason if the report is incomplete, the verdicts of --expect, and the answer about the disk. */
export function reportVerdicts(report: Report): readonly string[] {
  const { outcome, expectations = [] } = report;
  const incompleteReason = describeIncomplete(outcome);
  const incomplete = incompleteReason === null ? null : `incomplete: ${incompleteReason}`;
  const lines = [incomplete, ...expectations.map(expectationLine), reportAnswer(report)];
  return lines.filter((line) => line !== null);
}
