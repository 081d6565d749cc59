import type { RunEvent } from '../../report/events/event-record.js';
import { isUrgent } from '../../warnings/warning-catalogue.js';
import type { Verdict } from '../pass-criteria.js';

/** The reader of stderr: a person at a terminal, a log, or a log that a gate writes. Each function returns lines. */
export interface Audience {
  /** True to print the results after `beforeResults`, even those of completed steps. */
  readonly holdsResults: boolean;
  readonly forEvent: (event: RunEvent) => readonly string[];
  readonly beforeResults: (verdict: Verdict) => readonly string[];
  /** Includes the warnings, without the urgent ones, which are printed early. */
  readonly afterResults: (verdict: Verdict) => readonly string[];
}

/** True for a warning that is printed with the others after the results. */
export function isDeferred(event: RunEvent): boolean {
  return event.type === 'warning' && !isUrgent(event.warning);
}
