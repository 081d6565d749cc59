import type { Phase } from '../../workers/phases/phase.js';
import type { Failure } from '../../workers/protocol.js';
import { GobonnieError, shown, systemHint, systemReason } from '../errors.js';

/** What is wrong with the data itself, by the worker's code for it. */
const DATA_FAULTS: Readonly<Record<string, string>> = {
  CORRUPT:
    'this disk, or something that wrote to the file, changed it: do not trust it with data before you know which',
  SHORT:
    'something cut the file off, or the disk lost its end: do not trust it with data before you know which',
};

/** One error for all the workers that failed in a phase. */
export function phaseFailure({ name }: Pick<Phase, 'name'>, failures: readonly Failure[]): GobonnieError {
  const [first, ...others] = failures;
  if (!first) throw new Error('a phase failed without a failure');
  if (first.code === 'BUG') throw new Error(first.message, { cause: first.stack });
  const more = others.length > 0 ? ` (and ${others.length} more of the threads failed)` : '';
  const place = `${name} failed in ${shown(first.file)} at offset ${first.positionBytes}`;
  const fault = DATA_FAULTS[first.code];
  return new GobonnieError(
    fault ? 'data-corrupt' : 'phase-failed',
    `${place}: ${systemReason(first)}${more}`,
    fault ?? systemHint(first),
    { cause: first },
  );
}
