import { formatAmount, formatShare } from './amount.js';
import { primaryRateOf } from './rate.js';
import type { MemoryCeiling, Report } from './schema/report.js';
import { computeMean } from './statistics/statistics.js';

/** Returns the page cache's rate for a read phase. Null if unknown or not comparable. */
export function findMemoryCeiling(
  phaseName: string,
  ceiling: MemoryCeiling | null | undefined,
): number | null {
  if (phaseName === 'read') return ceiling?.bytesPerSecond ?? null;
  return phaseName === 'iops' ? (ceiling?.operationsPerSecond ?? null) : null;
}

/**
 * `read 14000 MB/s (the result is 12.8 % of it), iops 2568125/s (the result is 1.4 % of it)`. Null if unknown.
 */
export function formatMemoryCeiling({
  memoryCeiling,
  runs,
}: Pick<Report, 'memoryCeiling' | 'runs'>): string | null {
  const parts = (['read', 'iops'] as const).flatMap((phase) => {
    const ceiling = findMemoryCeiling(phase, memoryCeiling);
    const phaseMeasurements = runs.flatMap(({ measurements }) =>
      measurements.filter((one) => one.step === phase),
    );
    if (ceiling === null || phaseMeasurements.length === 0) return [];
    const unit = phase === 'read' ? 'bytesPerSecond' : 'operationsPerSecond';
    const share = formatShare(computeMean(phaseMeasurements.map(primaryRateOf)) / ceiling);
    return [`${phase} ${formatAmount(ceiling, unit)} (the result is ${share} of it)`];
  });
  return parts.length > 0 ? parts.join(', ') : null;
}
