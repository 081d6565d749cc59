import { isDecided } from '../../compare/comparison.js';
import { toComparisonSide } from '../../compare/side.js';
import { compareInTurn } from '../../compare/winners.js';
import { formatAmount } from '../../report/amount.js';
import { deviceRate, primaryRateOf, primaryRateUnit } from '../../report/rate.js';
import { toResults } from '../../report/report-to-results.js';
import { isComplete } from '../../report/results.js';
import type { Report, Run } from '../../report/schema/report.js';
import { display } from '../../text/escape.js';
import { groupBy } from '../../text/group-by.js';
import { type Annotation, reportAnnotations } from '../output/github-report.js';

/** Returns a note for each device that several directories share: their results will hardly differ. */
export function sharedDeviceLines(
  targets: readonly Pick<Report['target'], 'directory' | 'device' | 'disk' | 'isMemory'>[],
): readonly string[] {
  const onDevices = targets.filter(({ isMemory }) => !isMemory);
  return groupBy(onDevices, ({ disk, device }) => disk?.diskstatsName ?? device ?? '').flatMap((group) => {
    const [{ disk, device }] = group;
    const directories = [...new Set(group.map(({ directory }) => display(directory)))];
    const name = disk?.diskstatsName ?? device;
    if (!name || directories.length < 2) return [];
    return [`note: ${directories.join(' and ')} are on the same device (${display(name)})`];
  });
}

/** Prefers the outcome of a failed directory, because its failure stopped the other directories. */
export function combineReports(reports: readonly Report[]): Pick<Report, 'outcome' | 'runs'> {
  const outcomes = reports.map(({ outcome }) => outcome);
  const outcome =
    outcomes.find(({ state }) => state === 'failed') ?? outcomes.find(({ state }) => state !== 'completed');
  return { outcome: outcome ?? { state: 'completed' }, runs: reports.flatMap(({ runs }) => runs) };
}

export function collectAnnotations(reports: readonly Report[]): readonly Annotation[] {
  return reports.flatMap((report) =>
    reportAnnotations(report).map((annotation) => ({
      ...annotation,
      message: `${display(report.target.directory)}: ${annotation.message}`,
    })),
  );
}

/**
 * Compares each other directory with the first, in the rounds that every directory completed. Null if no round is
 * complete.
 */
export function findAbWinners(
  reports: readonly Report[],
  allowCached: boolean,
  maxRegressionPercent: number | null,
  look: 'early' | 'last' = 'last',
) {
  const completed = reports.map((report) => ({ ...report, runs: report.runs.filter(isComplete) }));
  const rounds = Math.min(...completed.map(({ runs }) => runs.length));
  if (rounds === 0) return null;
  const [first, ...others] = completed.map((report) => {
    const results = toResults({ ...report, runs: report.runs.slice(0, rounds) });
    return toComparisonSide(report.target.directory, [results], allowCached);
  });
  return first ? compareInTurn([first, ...others], maxRegressionPercent, look) : null;
}

/** True if more rounds would not change which differences the comparison shows. */
export function areAbDecided(
  reports: readonly Report[],
  allowCached: boolean,
  maxRegressionPercent: number | null,
): boolean {
  return (
    findAbWinners(reports, allowCached, maxRegressionPercent, 'early')?.comparisons.every(isDecided) ?? true
  );
}

/** `write 748.2 MB/s, read 1025 MB/s (partly cached), iops 23832/s`. */
export function runLine({ measurements }: Run, { isMemory }: Pick<Report['target'], 'isMemory'>): string {
  return measurements
    .map((measurement) => {
      const rate = deviceRate(measurement);
      const text = formatAmount(rate ?? primaryRateOf(measurement), primaryRateUnit(measurement));
      return `${measurement.step} ${text}${rate === null && !isMemory ? ' (partly cached)' : ''}`;
    })
    .join(', ');
}
