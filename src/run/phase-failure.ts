import type { Phase } from '../../workers/phases/phase.js';
import type { Transfer, WorkerFailure } from '../../workers/protocol.js';
import { GobonnieError } from '../errors.js';
import { systemHint, systemReason } from '../system-error.js';
import { display } from '../text/escape.js';
import type { MessageTemplate } from '../text/message-template.js';
import { pluralize } from '../text/units.js';

/** Hints for damaged data, by the worker's code for it. */
const CORRUPTION_HINTS: Readonly<Record<string, string>> = {
  CORRUPT:
    'this disk, or something that wrote to the file, changed it: do not trust it with data before you know which',
  SHORT:
    'something cut the file off, or the disk lost its end: do not trust it with data before you know which',
};

/** One error for all workers that failed in a phase. */
export function phaseFailure(
  { name }: Pick<Phase, 'name'>,
  failures: readonly WorkerFailure[],
  { direct }: Pick<Transfer, 'direct'>,
): GobonnieError {
  const [first, ...others] = failures;
  if (!first) throw new Error('a phase failed without a failure');
  if (first.code === 'BUG') throw new Error(first.message, { cause: first.stack });
  const more = others.length > 0 ? ` (and ${pluralize(others.length, 'more thread')} failed)` : '';
  return new GobonnieError(
    first.code in CORRUPTION_HINTS ? 'data-corrupt' : 'phase-failed',
    `${name} failed in ${display(first.file)} ${describeFailure(first)}${more}`,
    failureHint(first, direct),
    { cause: first },
  );
}

/** System calls on a whole file: they have no offset. */
const WHOLE_FILE_CALLS = new Set(['close', 'link', 'lstat', 'open', 'symlink', 'unlink']);
/** Those that create something: for them ENOSPC may also mean that the inodes are used up. */
const CREATING_CALLS = new Set(['link', 'open', 'symlink']);
const NO_INODES_HINT = `free some space${process.platform === 'win32' ? '' : ' or inodes (`df -i`)'}, pass fewer --files, or measure another directory`;

function describeFailure(failure: WorkerFailure): string {
  if (WHOLE_FILE_CALLS.has(failure.syscall ?? '')) return `(${failure.syscall}): ${systemReason(failure)}`;
  return failure.syscall === 'fsync'
    ? `when it was synced to the device: ${systemReason(failure)}`
    : `at offset ${failure.positionBytes}: ${systemReason(failure)}`;
}

function failureHint(failure: WorkerFailure, direct: boolean): MessageTemplate {
  if (direct && failure.code === 'EINVAL') return directHint(failure);
  if (failure.code === 'ENOSPC' && CREATING_CALLS.has(failure.syscall ?? '')) return NO_INODES_HINT;
  return CORRUPTION_HINTS[failure.code] ?? systemHint(failure);
}

/** The kernel returns EINVAL for everything that O_DIRECT cannot do. */
function directHint({ syscall }: WorkerFailure): string {
  return syscall === 'open'
    ? 'this filesystem refuses --direct (O_DIRECT): leave it out, or measure another directory'
    : 'with --direct this filesystem accepts only whole blocks of its own: pass --io-size 4k or a multiple of it';
}
