import { describeSpeed, speedFactsOf } from '../../rating/rating.js';
import type { Report } from '../../report/schema/report.js';
import { fillSentences } from './fill-text.js';
import { firstReadAnswer } from './first-read-text.js';
import { loadAnswer } from './load-text.js';

/** Returns what the results say about the disk: how fast it is for its kind, or the answer of a filled disk or of first reads. */
export function reportAnswer(report: Report): string | null {
  const filled = fillSentences(report);
  if (filled.length > 0) return filled.join('; ');
  return loadAnswer(report) ?? firstReadAnswer(report) ?? describeSpeed(speedFactsOf(report));
}
