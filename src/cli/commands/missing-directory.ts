import { GobonnieError } from '../../errors.js';
import type { Machine } from '../../machine/machine.js';
import { flag, sentence } from '../../text/sentence.js';

/** The ancestors do not make the directory, so that a disk that is not mounted is noticed. */
export function refuseMissingDirectory({ target }: Machine): void {
  if (target.exists) return;
  throw new GobonnieError(
    'directory-unusable',
    sentence`${flag('dir', target.directory)} does not exist`,
    'pass one that does; the disk that is meant may not be mounted',
  );
}
