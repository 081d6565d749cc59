import { inOneLine } from '../../errors.js';
import type { Warning } from '../../report/schema/report.js';

/** What is wrong, the way out, and where there is more of both. */
export function warningLine(warning: Warning): string {
  return `${warningText(warning)} (gobonnie explain ${warning.code})`;
}

/** For those who read it later. */
export function warningText(warning: Warning): string {
  return `warning: ${inOneLine(warning)}`;
}
