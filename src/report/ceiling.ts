import { formatAmount, formatShare } from './amount.js';
import { primaryRateOf, primaryRateUnit } from './rate.js';
import type { MemoryCeiling, Report } from './schema/report.js';
import { computeMean } from './statistics/statistics.js';

/** Returns a step's rate on cached data. Null if unknown. */
export function findMemoryCeiling(step: string, ceilings: MemoryCeiling | null | undefined): number | null {
  return ceilings?.find((one) => one.step === step)?.perSecond ?? null;
}

/**
 * `read 14000 MB/s (the result is 12.8 % of it), iops 2568125/s (the result is 1.4 % of it)`. Null if unknown.
 */
export function formatMemoryCeiling({
  memoryCeiling,
  runs,
}: Pick<Report, 'memoryCeiling' | 'runs'>): string | null {
  const measurements = runs.flatMap((run) => run.measurements);
  const parts = (memoryCeiling ?? []).flatMap(({ step, perSecond }) => {
    const measured = measurements.filter((one) => one.step === step);
    const [first] = measured;
    if (!first) return [];
    const share = formatShare(computeMean(measured.map(primaryRateOf)) / perSecond);
    return [`${step} ${formatAmount(perSecond, primaryRateUnit(first))} (the result is ${share} of it)`];
  });
  return parts.length > 0 ? parts.join(', ') : null;
}
