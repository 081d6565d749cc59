import { formatAmount } from '../../report/amount.js';
import { minMax } from '../../report/measure/min-max.js';
import { metricValues, rateMetric } from '../../report/metrics.js';
import { primaryRateUnit } from '../../report/rate.js';
import type { StepRows } from '../../report/results.js';
import { computeMarginPercent, computeMean, computeStatistics } from '../../report/statistics/statistics.js';
import { formatNs } from '../../text/units.js';

/** Returns the disk's rate or, for a target in RAM, the timed rate. */
export function rateCell(rows: StepRows, isInMemory: boolean): string {
  const rates = knownRates(rows, isInMemory);
  return rates.length === 0 ? 'unknown' : formatRowRate(rows, computeMean(rates));
}

/** Returns half the width of the mean's confidence interval, in percent of the mean. */
export function marginCell(rows: StepRows, isInMemory: boolean): string {
  const rates = knownRates(rows, isInMemory);
  const marginPercent = rates.length === 0 ? null : computeMarginPercent(computeStatistics(rates));
  return marginPercent === null ? '' : `± ${marginPercent.toFixed(0)} %`;
}

export function rangeCell(rows: StepRows, isInMemory: boolean): string {
  const rates = knownRates(rows, isInMemory);
  if (rates.length < 2) return '';
  const { min, max } = minMax(rates);
  return `${formatRowRate(rows, min)} to ${formatRowRate(rows, max)}`;
}

/** Returns the percentile's mean over the runs. */
export function latencyCell(rows: StepRows, name: 'p50' | 'p99'): string {
  const values = rows.map(({ latencyNs }) => latencyNs[name]).filter((ns) => ns !== undefined);
  return values.length === 0 ? '' : formatNs(computeMean(values));
}

/** Returns the rate of each run. Empty if it is not the device's rate. */
function knownRates(rows: StepRows, isInMemory: boolean): readonly number[] {
  const { values, isFromDevice } = metricValues(rows, rateMetric, isInMemory);
  return isFromDevice ? values : [];
}

function formatRowRate([first]: StepRows, perSecond: number): string {
  return formatAmount(perSecond, primaryRateUnit(first));
}
