import { formatErrorLine } from '../../errors.js';
import { formatAmount } from '../../report/amount.js';
import type { ExpectationResult, Outcome, Warning } from '../../report/schema/report.js';
import { sanitize } from '../../text/escape.js';

/** A warning with where to read more. */
export function warningLine(warning: Warning): string {
  return `${warningText(warning)} (gobonnie explain ${warning.code})`;
}

/** For the ancestors' command lines, which lack the flags that hints name. */
export function warningLineWithoutHint({ message, code }: Warning): string {
  return `warning: ${message} (gobonnie explain ${code})`;
}

/** A warning for those who read it later, without the command to explain it. */
export function warningText(warning: Warning): string {
  return `warning: ${formatErrorLine(warning)}`;
}

/** `✓ write>=200MB/s: 748.2 MB/s`. */
export function expectationLine(verdict: ExpectationResult): string {
  return `${expectationMark(verdict)} ${sanitize(verdict.condition)}: ${actualText(verdict)}`;
}

function expectationMark({ passed, inconclusive }: ExpectationResult): string {
  if (inconclusive) return '?';
  return passed ? '✓' : '✗';
}

/** `5120 MB/s as timed, but only 1.4 % was read from the device; pass --direct`. */
export function actualText({ unit, actual, inconclusive }: ExpectationResult): string {
  const amount = actual === null ? 'unknown' : formatAmount(actual, unit);
  return inconclusive
    ? sanitize(`${amount} as timed, but ${inconclusive.reason}; ${inconclusive.hint}`)
    : amount;
}

/** Why a run is not complete; null if it is. */
export function describeIncomplete(outcome: Outcome): string | null {
  switch (outcome.state) {
    case 'completed':
      return null;
    case 'running':
      return 'it was still running when this was written';
    case 'aborted':
      return `it was stopped by ${outcome.reason}`;
    case 'failed':
      return formatErrorLine(outcome);
  }
}
