import { formatAmount } from '../../report/amount.js';
import { minMax } from '../../report/measure/min-max.js';
import { metricValues, rateMetric } from '../../report/metrics.js';
import { primaryRateUnit } from '../../report/rate.js';
import type { PhaseRows } from '../../report/results.js';
import { computeMarginPercent, computeMean, computeStatistics } from '../../report/statistics/statistics.js';
import { formatNs } from '../../text/units.js';

/** The disk's rate; where it was measured in memory, memory's. */
export function rateCell(rows: PhaseRows, isInMemory: boolean): string {
  const rates = knownRates(rows, isInMemory);
  return rates.length === 0 ? 'unknown' : formatRowRate(rows, computeMean(rates));
}

/** How far the interval of the mean reaches. */
export function marginCell(rows: PhaseRows, isInMemory: boolean): string {
  const rates = knownRates(rows, isInMemory);
  const reachPercent = rates.length === 0 ? null : computeMarginPercent(computeStatistics(rates));
  return reachPercent === null ? '' : `± ${reachPercent.toFixed(0)} %`;
}

export function rangeCell(rows: PhaseRows, isInMemory: boolean): string {
  const rates = knownRates(rows, isInMemory);
  if (rates.length < 2) return '';
  const { min, max } = minMax(rates);
  return `${formatRowRate(rows, min)} to ${formatRowRate(rows, max)}`;
}

/** The mean of the runs. */
export function latencyCell(rows: PhaseRows, name: 'p50' | 'p99'): string {
  const values = rows.flatMap(({ latencyNs }) => latencyNs[name] ?? []);
  return values.length === 0 ? '' : formatNs(computeMean(values));
}

/** Empty if unknown. */
function knownRates(rows: PhaseRows, isInMemory: boolean): readonly number[] {
  const { values, isFromDevice } = metricValues(rows, rateMetric, isInMemory);
  return isFromDevice ? values : [];
}

function formatRowRate([first]: PhaseRows, perSecond: number): string {
  return formatAmount(perSecond, primaryRateUnit(first));
}
