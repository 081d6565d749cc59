import { statisticsOf } from '../report/statistics/statistics.js';
import { type MeanDifference, meanDifference } from './welch.js';

/**
 * Student's t-test of pairs, two-sided: for samples that were taken in turn, where what disturbed one value disturbed
 * the one beside it, too. Null where they do not stand in pairs, or a single pair leaves nothing to tell noise by.
 */
export function paired(
  before: readonly number[],
  after: readonly number[],
  confidence: number,
): MeanDifference | null {
  if (before.length !== after.length || before.length < 2) return null;
  const differences = before.map((value, at) => (after[at] ?? value) - value);
  const { mean: difference, standardDeviation } = statisticsOf(differences);
  const error = (standardDeviation ?? 0) / Math.sqrt(differences.length);
  return meanDifference(difference, error, differences.length - 1, confidence);
}
