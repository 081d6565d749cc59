import type { Warning } from '../report/report.js';

/** What is wrong, the way out, and where there is more of both. */
export function warningLine({ code, message, hint }: Warning): string {
  return `warning: ${message}; ${hint} (gobonnie explain ${code})`;
}
