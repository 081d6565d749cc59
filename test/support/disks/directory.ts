import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { GIB } from '../../../src/text/units.js';

const SHARED_MEMORY = '/dev/shm';
const MIN_FREE_BYTES = 2 * GIB;
const MAX_TRIES = 100;

/** A directory in RAM if it is large enough, because tests should not wait for a disk. */
export const FAST_DIRECTORY = hasEnoughSpace(SHARED_MEMORY) ? SHARED_MEMORY : os.tmpdir();

/** Creates an empty directory for one test, and removes it after the test. */
export function makeDirectory(parent: string = FAST_DIRECTORY): string {
  const directory = mkdtempSync(path.join(parent, 'test-'));
  onTestFinished(() => {
    if (isMountPoint(directory)) throw new Error(`${directory} is still mounted, so its files are kept`);
    // A watcher may remove the same files at the same time: then rmSync of Node 24 and later may silently skip files.
    for (let tries = 0; tries < MAX_TRIES && existsSync(directory); tries += 1)
      rmSync(directory, { recursive: true, force: true });
  });
  return directory;
}

/** Returns true if a test left a mount there, which may contain system files. */
function isMountPoint(directory: string): boolean {
  const stats = statSync(directory, { throwIfNoEntry: false });
  return stats !== undefined && stats.dev !== statSync(path.dirname(directory)).dev;
}

/** Creates a directory that the user nobody can also write to. */
export function makePublicDirectory(parent?: string): string {
  const directory = makeDirectory(parent);
  chmodSync(directory, 0o777);
  return directory;
}

/** Returns the scratch directory of the run in progress in `directory`. */
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
