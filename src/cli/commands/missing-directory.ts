import { GobonnieError } from '../../errors.js';
import type { Machine } from '../../machine/machine.js';
import { shown } from '../../text/escape.js';

/** The ancestors do not make the directory, so that a disk that is not mounted is noticed. */
export function refuseMissingDirectory({ target }: Machine): void {
  if (target.exists) return;
  throw new GobonnieError(
    'directory-unusable',
    `--dir ${shown(target.directory)} is not there`,
    'pass a directory that is; the disk that is meant may not be mounted',
  );
}
