import { showAmount, showShare } from './amount.js';
import { rateOf } from './rate.js';
import type { MemoryCeiling, Report } from './schema/report.js';
import { meanOf } from './statistics/statistics.js';

/** What memory can do in a phase that reads. Null if it is unknown or not to compare with. */
export function ceilingOf(phaseName: string, ceiling: MemoryCeiling | null | undefined): number | null {
  if (phaseName === 'read') return ceiling?.bytesPerSecond ?? null;
  return phaseName === 'iops' ? (ceiling?.operationsPerSecond ?? null) : null;
}

/**
 * `read 14000 MB/s (the figure is 12.8 % of it), iops 2568125/s (the figure is 1.4 % of it)`. Null if it is unknown.
 */
export function ceilingText({ memoryCeiling, runs }: Pick<Report, 'memoryCeiling' | 'runs'>): string | null {
  const parts = (['read', 'iops'] as const).flatMap((phase) => {
    const ceiling = ceilingOf(phase, memoryCeiling);
    const measured = runs.flatMap(({ measurements }) => measurements.filter((one) => one.phase === phase));
    if (ceiling === null || measured.length === 0) return [];
    const unit = phase === 'read' ? 'bytesPerSecond' : 'operationsPerSecond';
    const share = showShare(meanOf(measured.map(rateOf)) / ceiling);
    return [`${phase} ${showAmount(ceiling, unit)} (the figure is ${share} of it)`];
  });
  return parts.length > 0 ? parts.join(', ') : null;
}
