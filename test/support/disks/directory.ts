import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { GIB } from '../../../src/text/units.js';

const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 2 * GIB;
const MOST_TRIES = 100;

/** In memory if that is large enough, so that no test waits for a disk. */
export const FAST = isRoomy(MEMORY) ? MEMORY : os.tmpdir();

/** An empty directory for one test, removed after it. */
export function makeDirectory(parent: string = FAST): string {
  const directory = mkdtempSync(path.join(parent, 'test-'));
  onTestFinished(() => {
    if (isMountPoint(directory)) throw new Error(`${directory} is still mounted, and not emptied`);
    // A watcher may be removing the same files: from Node 24 on, rmSync may then silently leave some.
    for (let tries = 0; tries < MOST_TRIES && existsSync(directory); tries += 1)
      rmSync(directory, { recursive: true, force: true });
  });
  return directory;
}

/** A mount that a test has left there may hold files of the system. */
function isMountPoint(directory: string): boolean {
  const own = statSync(directory, { throwIfNoEntry: false });
  return own !== undefined && own.dev !== statSync(path.dirname(directory)).dev;
}

/** One that the user nobody can write to, too. */
export function makeOpenDirectory(): string {
  const directory = makeDirectory();
  chmodSync(directory, 0o777);
  return directory;
}

/** The scratch directory of the run in progress in `directory`. */
export function scratchIn(directory: string): string | undefined {
  const name = readdirSync(directory).find((entry) => entry.startsWith('gobonnie-'));
  return name && path.join(directory, name);
}

function isRoomy(directory: string): boolean {
  try {
    const { bsize, bavail } = statfsSync(directory);
    return bsize * bavail >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}
