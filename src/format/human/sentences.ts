import { formatErrorLine } from '../../errors.js';
import { formatAmount } from '../../report/amount.js';
import type { ExpectationResult, Outcome, Warning } from '../../report/schema/report.js';
import { sanitize } from '../../text/escape.js';
import { unsignedDecimal } from '../../text/units.js';
import { FILE_SERVERS } from '../../warnings/warning-catalogue.js';

/** Renders a warning with the command that explains it. */
export function warningLine(warning: Warning): string {
  return `${warningText(warning)} (gobonnie explain ${warning.code})`;
}

/** Renders a warning for bonnie and bonnie++, which lack the flags that hints name. */
export function warningLineWithoutHint({ message, code }: Warning): string {
  return `warning: ${message} (gobonnie explain ${code})`;
}

/** Renders a warning for a file, without the command that explains it. */
export function warningText(warning: Warning): string {
  return `warning: ${formatErrorLine(warning)}`;
}

/** `✓ write>=200MB/s: 748.2 MB/s`. */
export function expectationLine(verdict: ExpectationResult): string {
  let mark = verdict.passed ? '✓' : '✗';
  if (verdict.inconclusive) mark = '?';
  return `${mark} ${sanitize(verdict.condition)}: ${actualText(verdict)}`;
}

/** `150 MB/s (25.0 % too low)`, or `5120 MB/s as timed, but only 1.4 % was read from the device; pass --direct`. */
export function actualText({ unit, actual, bound, passed, worst, inconclusive }: ExpectationResult): string {
  const amount = actual === null ? 'unknown' : formatAmount(actual, unit);
  const start = actual === null ? 'unknown because' : `${amount} as timed, but`;
  if (inconclusive) return sanitize(`${start} ${inconclusive.reason}; ${inconclusive.hint}`);
  if (worst)
    return `${amount} on average, but ${formatAmount(worst.actual, unit)} in the worst of ${worst.runs} runs`;
  // A percentage of a percentage would be ambiguous.
  if (passed || actual === null || bound === 0 || unit === 'share' || unit === 'percent') return amount;
  const percent = (actual / bound - 1) * 100;
  return `${amount} (${unsignedDecimal(percent)} % too ${percent < 0 ? 'low' : 'high'})`;
}

/** `another process serves /mnt (fuse.bindfs). Keep files that must be fast on a filesystem of the kernel.` */
export function describeFileServer(server: keyof typeof FILE_SERVERS, place: string, filesystem: string) {
  const { name, fasterPlace } = FILE_SERVERS[server];
  return `${name} serves ${place} (${sanitize(filesystem)}). Keep files that must be fast ${fasterPlace}.`;
}

/** Returns the reason why a run is incomplete. Null if it is complete. */
export function describeIncomplete(outcome: Outcome): string | null {
  switch (outcome.state) {
    case 'completed':
      return null;
    case 'running':
      return 'still running when this was written';
    case 'aborted':
      return `stopped by ${outcome.reason}`;
    case 'failed':
      return formatErrorLine(outcome);
  }
}
