import { inOneLine } from '../../errors.js';
import type { Warning } from '../../report/schema/report.js';

/** What is wrong, the way out, and where there is more of both. */
export function warningLine(warning: Warning): string {
  return `${warningText(warning)} (gobonnie explain ${warning.code})`;
}

/** For the ancestors' dialects: a hint names flags that they do not have. */
export function warningLineWithoutHint({ message, code }: Warning): string {
  return `warning: ${message} (gobonnie explain ${code})`;
}

/** For those who read it later. */
export function warningText(warning: Warning): string {
  return `warning: ${inOneLine(warning)}`;
}
