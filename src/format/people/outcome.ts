import { inOneLine } from '../../errors.js';
import type { Outcome } from '../../report/schema/report.js';

/** How it ended where it did not come to its end, in words; null where it did. */
export function outcomeText(outcome: Outcome): string | null {
  switch (outcome.state) {
    case 'completed':
      return null;
    case 'running':
      return 'it was still running when this was written';
    case 'aborted':
      return `it was stopped by ${outcome.reason}`;
    case 'failed':
      return inOneLine(outcome);
  }
}
