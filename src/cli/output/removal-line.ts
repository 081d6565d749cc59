import type { RemovalResult } from '../../scratch/leftovers.js';
import { pathIndependentHint, systemReason } from '../../system-error.js';
import { display } from '../../text/escape.js';

/** Line about a leftover that was removed, or could not be removed. */
export function removalLine({ path, error }: RemovalResult): string {
  if (!error) return `gobonnie: removed ${display(path)}, left by a killed run`;
  return (
    `gobonnie: could not remove ${display(path)}, left by a killed run: ${systemReason(error)}; ` +
    (pathIndependentHint(error) ?? 'remove it by hand, or fix that and run gobonnie clean')
  );
}
