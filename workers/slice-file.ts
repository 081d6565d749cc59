import { closeSync, constants, openSync } from 'node:fs';
import type { Job, Station } from './phases/phase.js';
import { NO_FOLLOW } from './protocol.js';

/** The job of a phase whose loop works on its slice's file. */
export function sliceJob(
  station: Station,
  openFlags: number,
  loop: (fd: number, station: Station) => void,
): Job {
  const { slice, transfer } = station;
  const fd = openSync(slice.file, openFlags | NO_FOLLOW | (transfer.direct ? constants.O_DIRECT : 0));
  return {
    work: () => loop(fd, station),
    close: () => closeSync(fd),
  };
}
