import { describeSpeed, speedFactsOf } from '../../rating/rating.js';
import type { Report } from '../../report/schema/report.js';
import { devSentences, isDevReport } from './commands/dev-text.js';
import { fillSentences } from './commands/fill-text.js';
import { firstReadAnswer } from './commands/first-read-text.js';
import { loadAnswer } from './commands/load-text.js';
import { pingSentences } from './commands/ping-text.js';
import { sweepSentences } from './commands/sweep-text.js';
import { describeIncomplete, expectationLine } from './sentences.js';

/**
 * Returns the sentences that answer how fast the disk is: for its kind, under load or at each depth, or the answer of
 * `dev`, `fill` or `first-read`.
 */
export function reportAnswer(report: Report): readonly string[] {
  const filled = fillSentences(report);
  if (filled.length > 0) return [filled.join('; ')];
  if (isDevReport(report)) return devSentences(report);
  if (report.command?.name === 'ping') return pingSentences(report);
  if (report.command?.name === 'sweep') return sweepSentences(report);
  const answer = loadAnswer(report) ?? firstReadAnswer(report) ?? describeSpeed(speedFactsOf(report));
  return answer === null ? [] : [answer];
}

/** Returns the reason if the report is incomplete, the verdicts of --expect, and the answer about the disk. */
export function reportVerdicts(report: Report): readonly string[] {
  const { outcome, expectations = [] } = report;
  const incompleteReason = describeIncomplete(outcome);
  const lines = expectations.map(expectationLine);
  if (incompleteReason !== null) lines.unshift(`incomplete: ${incompleteReason}`);
  const answer = reportAnswer(report).join(' ');
  return answer === '' ? lines : [...lines, answer];
}
