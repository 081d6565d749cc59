import { formatAmount } from '../../report/amount.js';
import { averageMetric, rateMetric, summarizeMetric } from '../../report/metrics.js';
import type { StepValues } from '../../report/results.js';
import { computeMarginPercent, type Statistics } from '../../report/statistics/statistics.js';
import { formatNs } from '../../text/units.js';

/** Returns the texts of the disk's rate over the runs or, for a target in RAM, of the timed rate. */
export function rateTexts(rows: readonly StepValues[], isInMemory: boolean) {
  const rate = summarizeMetric(rows, rateMetric, isInMemory);
  if (!rate?.isFromDevice) return { mean: 'unknown', margin: '', range: '' };
  const { runs, mean, min, max } = rate.statistics;
  const show = (perSecond: number) => formatAmount(perSecond, rate.unit);
  const range = runs < 2 ? '' : `${show(min)} to ${show(max)}`;
  return { mean: show(mean), margin: marginText(rate.statistics), range };
}

/** Returns how far the ends of the confidence interval are from the mean at most, in percent of the mean. */
export function marginText(statistics: Pick<Statistics, 'mean' | 'confidence95'>): string {
  const percent = computeMarginPercent(statistics);
  return percent === null ? '' : `± ${percent.toFixed(0)} %`;
}

/** Returns the percentile's mean over the runs. */
export function latencyCell(rows: readonly StepValues[], name: keyof StepValues['latencyNs']): string {
  const ns = averageMetric(rows, name);
  return ns === null ? '' : formatNs(ns);
}
