import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { NO_FOLLOW } from '../../workers/protocol.js';
import { GobonnieError, shown, systemHint, systemReason } from '../errors.js';

/** Only the user who runs gobonnie may read what it writes. */
const FILE_MODE = 0o600;

export function unlessMissing(act: (error: NodeJS.ErrnoException) => void) {
  return (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') act(error);
  };
}

/** Makes an empty file. With O_EXCL it can only ever be of our own making. */
export async function makeFile(file: string): Promise<void> {
  try {
    const handle = await open(
      file,
      constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW,
      FILE_MODE,
    );
    await handle.close();
  } catch (cause) {
    const error = cause as NodeJS.ErrnoException;
    throw new GobonnieError(
      'scratch-failed',
      `${shown(file)} could not be made: ${systemReason(error)}`,
      systemHint(error),
      { cause },
    );
  }
}
