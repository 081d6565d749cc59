import { GobonnieError } from '../errors.js';
import { type SystemError, systemHint, systemReason } from '../system-error.js';
import { display } from '../text/escape.js';

export function creationError(description: string, cause: unknown): GobonnieError {
  if (cause instanceof GobonnieError) return cause;
  const message = `cannot create ${description}: ${systemReason(cause)}`;
  return new GobonnieError('scratch-failed', message, systemHint(cause), { cause });
}

/** For a directory that was moved during the run, to `current` if that is known. */
export function movedError(path: string, current: string | null): GobonnieError {
  return new GobonnieError(
    'scratch-failed',
    `${display(path)} was ${current === null ? 'moved or replaced' : `moved to ${display(current)}`} during the run`,
    'start again, and leave that directory in place until the run ends',
  );
}

export function cleanupError(path: string, cause: SystemError): GobonnieError {
  return new GobonnieError(
    'cleanup-failed',
    `${display(path)} could not be removed: ${systemReason(cause)}`,
    cause.code === 'ENOENT'
      ? 'it was moved, unmounted or removed during the run; if it still exists, remove it by hand'
      : 'once that is fixed, remove it by hand or with gobonnie clean',
    { cause },
  );
}
