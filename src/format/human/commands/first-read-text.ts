import { formatShare, unitDefinitions } from '../../../report/amount.js';
import { allMeasurements } from '../../../report/runs.js';
import type { Measurement, Report } from '../../../report/schema/report.js';
import { sanitize } from '../../../text/escape.js';
import { formatBytes, formatNs, formatSeconds, NS_PER_MS } from '../../../text/units.js';
import { hangingIndent, toText } from '../../../text/wrap.js';
import type { Screen } from '../screen.js';
import { INDENT } from '../table.js';

const { format: formatRate } = unitDefinitions.bytesPerSecond;
/** A volume that loads its blocks late is slower by more. Caches and chance make a smaller difference. */
const LATE_RATIO = 3;
/** A read from the storage of snapshots takes longer. */
const MIN_LATE_NS = 10 * NS_PER_MS;
/** The medians of fewer reads may differ by chance. */
const MIN_READS = 20;
/** With less, the sample says nothing about the volume. */
const MIN_MISSED_SHARE = 0.5;

/** Renders both reads and the answer about the volume. Empty without a result. */
export function firstReadText(report: Report, screen: Screen): string {
  const measurements = allMeasurements(report);
  const answer = firstReadAnswer(report);
  if (answer === null) return '';
  const reads = measurements.map((one) => {
    const share = missedShare(one);
    const source = share === null ? 'from an unknown place' : `${formatShare(share)} from the volume`;
    return `${sanitize(one.step)}: ${formatRate(one.bytesPerSecond)} (${formatBytes(one.bytes)} in ${formatSeconds(one.seconds)}), ${source}`;
  });
  const lines = [...reads, answer].flatMap((line) => hangingIndent(INDENT, line, screen.columns));
  return toText(lines);
}

/** Returns the answer about the volume. Null without a first read. */
export function firstReadAnswer(report: Report): string | null {
  const [first, second] = allMeasurements(report);
  if (first?.phase !== 'first-read') return null;
  return second ? describeFirstRead(first, second, report) : 'Cannot tell: not read a second time.';
}

/** Returns the share of the data that the page cache did not have. Null if unknown. A cache below it belongs to the volume. */
function missedShare({ device, readBytes }: Measurement): number | null {
  return device.readBytes === null ? null : Math.min(1, device.readBytes / readBytes);
}

/** Answers whether the volume loads its blocks when they are first read. */
function describeFirstRead(first: Measurement, second: Measurement, { target }: Report): string {
  const cache = target.lowerCache
    ? `a cache below the filesystem: ${target.lowerCache.reason}`
    : 'a cache below this machine';
  if (target.isMemory) return 'Cannot tell: the files are in memory.';
  const share = missedShare(first);
  const secondShare = missedShare(second);
  if (share === null) return `Cannot tell whether these were first reads: ${first.device.reason}.`;
  if (share < MIN_MISSED_SHARE)
    return 'Cannot tell: most was in the page cache. Try files that nobody has read since the volume was attached.';
  if (secondShare === null || secondShare < MIN_MISSED_SHARE)
    return 'Cannot tell: the second read came from the page cache.';
  if (first.operations < MIN_READS)
    return `Cannot tell from only ${formatBytes(first.bytes)}. Pass more or larger files.`;
  // Cached data took next to no time.
  const firstRate = first.bytesPerSecond * share;
  const part = share < 1 ? ' without the cached part' : '';
  const rates = `First read ${formatRate(firstRate)}${part}, second ${formatRate(second.bytesPerSecond)}`;
  const medianNs = first.latencyNs?.p50 ?? 0;
  const ratio = Math.min(second.bytesPerSecond / firstRate, medianNs / (second.latencyNs?.p50 ?? Infinity));
  if (ratio >= LATE_RATIO && medianNs < MIN_LATE_NS)
    return `${rates}: the second read was faster, from ${cache}. A volume that loads late takes ${formatNs(MIN_LATE_NS)} or more for a first read; here it took ${formatNs(medianNs)}.`;
  return ratio >= LATE_RATIO
    ? `${rates}: this volume loads its blocks when they are first read, as volumes restored from a snapshot do, or ${cache} had none of them.`
    : `${rates}: no sign of a volume that loads its blocks when they are first read.`;
}
