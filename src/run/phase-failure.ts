import type { WorkerFailure } from '../../workers/protocol.js';
import { GobonnieError } from '../errors.js';
import type { Step } from '../plan/steps.js';
import { systemHint, systemReason } from '../system-error.js';
import { display } from '../text/escape.js';
import type { MessageTemplate } from '../text/message-template.js';
import { pluralize } from '../text/units.js';

/** Hints for damaged data, by the worker's error code. */
const CORRUPTION_HINTS: Readonly<Record<string, string>> = {
  CORRUPT: 'the disk or another process changed the data: do not trust this disk until you know which',
  SHORT: 'the disk or another process truncated the file: do not trust this disk until you know which',
};

export function phaseFailure({ phase, transfer }: Step, failures: readonly WorkerFailure[]): GobonnieError {
  const [first, ...others] = failures;
  if (!first) throw new Error('a phase failed without a failure');
  if (first.code === 'BUG') throw new Error(first.message, { cause: first.stack });
  const more = others.length > 0 ? ` (and ${pluralize(others.length, 'more thread')} failed)` : '';
  return new GobonnieError(
    first.code in CORRUPTION_HINTS ? 'data-corrupt' : 'phase-failed',
    `${phase.name} failed in ${display(first.file)} ${describeFailure(first)}${more}`,
    failureHint(first, transfer.direct),
    { cause: first },
  );
}

/** System calls on a whole file, which have no offset. */
const WHOLE_FILE_CALLS = new Set(['close', 'link', 'lstat', 'open', 'symlink', 'unlink']);
/** System calls that create an entry. Their ENOSPC may also mean that no inodes are free. */
const CREATING_CALLS = new Set(['link', 'open', 'symlink']);
const NO_INODES_HINT = `free some space${process.platform === 'win32' ? '' : ' or inodes (`df -i`)'}, pass fewer --files, or measure another directory`;

function describeFailure(failure: WorkerFailure): string {
  if (WHOLE_FILE_CALLS.has(failure.syscall ?? '')) return `(${failure.syscall}): ${systemReason(failure)}`;
  return failure.syscall === 'fsync'
    ? `while syncing it to the device: ${systemReason(failure)}`
    : `at offset ${failure.positionBytes}: ${systemReason(failure)}`;
}

function failureHint(failure: WorkerFailure, direct: boolean): MessageTemplate {
  // The kernel returns EINVAL for everything that O_DIRECT does not support.
  if (direct && failure.code === 'EINVAL')
    return failure.syscall === 'open'
      ? 'this filesystem does not support --direct (O_DIRECT): leave it out, or measure another directory'
      : 'with --direct this filesystem accepts only whole blocks: pass --io-size 4k or a multiple of it';
  if (failure.code === 'ENOSPC' && CREATING_CALLS.has(failure.syscall ?? '')) return NO_INODES_HINT;
  return CORRUPTION_HINTS[failure.code] ?? systemHint(failure);
}
