import { showAmount } from '../../report/amount.js';
import type { ExpectationVerdict } from '../../report/schema/report.js';
import { harmless } from '../../text/escape.js';

/** `✓ write>=200MB/s: 748.2 MB/s`. */
export function expectationLine({ text, unit, actual, isMet }: ExpectationVerdict): string {
  return `${isMet ? '✓' : '✗'} ${harmless(text)}: ${actualText({ unit, actual })}`;
}

/** What it was instead. */
export function actualText({ unit, actual }: Pick<ExpectationVerdict, 'unit' | 'actual'>): string {
  return actual === null ? 'it is not known' : showAmount(actual, unit);
}
