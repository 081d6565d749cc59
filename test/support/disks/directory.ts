import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { GIB } from '../../../src/text/units.js';

const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 2 * GIB;
const MOST_TRIES = 100;

/** Memory where it is large enough, so that no test waits for a disk. */
export const FAST = isRoomy(MEMORY) ? MEMORY : os.tmpdir();

/** An empty directory for one test, removed after it. */
export function makeDirectory(parent: string = FAST): string {
  const directory = mkdtempSync(path.join(parent, 'test-'));
  onTestFinished(() => {
    if (isMountPoint(directory)) throw new Error(`${directory} is still mounted, and not emptied`);
    // A watcher may remove what is in it at the same time: from Node 24 on one try may give up then, without a word.
    for (let tries = 0; tries < MOST_TRIES && existsSync(directory); tries += 1)
      rmSync(directory, { recursive: true, force: true });
  });
  return directory;
}

/** A mount that a test has left there may be of the whole system. */
function isMountPoint(directory: string): boolean {
  const own = statSync(directory, { throwIfNoEntry: false });
  return own !== undefined && own.dev !== statSync(path.dirname(directory)).dev;
}

/** One that the user nobody can write to as well. */
export function makeOpenDirectory(): string {
  const directory = makeDirectory();
  chmodSync(directory, 0o777);
  return directory;
}

/** The scratch directory that a run under way has made in `directory`. */
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
