import type { RemovalResult } from '../../scratch/leftovers.js';
import { pathIndependentHint, systemReason } from '../../system-error.js';
import { display } from '../../text/escape.js';

/** Line that a run prints about a leftover in its directory. */
export function removalLine({ path, error }: RemovalResult): string {
  return error ? removalFailureLine(path, error) : `gobonnie: removed ${display(path)}, left by a killed run`;
}

/** Line about a leftover that could not be removed. */
export function removalFailureLine(path: string, error: unknown): string {
  return (
    `gobonnie: could not remove ${display(path)}, left by a killed run: ${systemReason(error)}; ` +
    (pathIndependentHint(error) ?? 'remove it by hand, or fix that and run gobonnie clean')
  );
}
