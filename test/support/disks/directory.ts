import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { GIB } from '../../../src/text/units.js';

const SHARED_MEMORY = '/dev/shm';
const MIN_FREE_BYTES = 2 * GIB;
const MAX_TRIES = 100;

/** In memory if that is large enough, so that no test waits for a disk. */
export const FAST_DIRECTORY = hasEnoughSpace(SHARED_MEMORY) ? SHARED_MEMORY : os.tmpdir();

/** An empty directory for one test, removed after it. */
export function makeDirectory(parent: string = FAST_DIRECTORY): string {
  const directory = mkdtempSync(path.join(parent, 'test-'));
  onTestFinished(() => {
    if (isMountPoint(directory)) throw new Error(`${directory} is still mounted, and not emptied`);
    // A watcher may be removing the same files: from Node 24 on, rmSync may then silently leave some.
    for (let tries = 0; tries < MAX_TRIES && existsSync(directory); tries += 1)
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
export function makePublicDirectory(): string {
  const directory = makeDirectory();
  chmodSync(directory, 0o777);
  return directory;
}

/** The scratch directory of the run in progress in `directory`. */
export function findScratch(directory: string): string | undefined {
  const name = readdirSync(directory).find((entry) => entry.startsWith('gobonnie-'));
  return name && path.join(directory, name);
}

function hasEnoughSpace(directory: string): boolean {
  try {
    const { bsize, bavail } = statfsSync(directory);
    return bsize * bavail >= MIN_FREE_BYTES;
  } catch {
    return false;
  }
}
