import type { Run } from './report.js';

/** Whether it came to its end: what was stopped counts in no figure of several. */
export function isComplete({ state }: Pick<Run, 'state'>): boolean {
  return state === 'completed';
}
