import { closeSync, openSync } from 'node:fs';
import type { Job } from './phases/phase.js';
import { NO_FOLLOW, type Slice } from './protocol.js';

/** Only the user who runs gobonnie may read what it writes. */
const FILE_MODE = 0o600;

/** The job of a phase whose loop works on its slice's file. */
export function sliceJob({ file }: Slice, openFlags: number, loop: (fd: number) => void): Job {
  const fd = openSync(file, openFlags | NO_FOLLOW, FILE_MODE);
  return {
    work: () => loop(fd),
    close: () => closeSync(fd),
  };
}
