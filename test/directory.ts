import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { GIB } from '../src/units.js';

const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 2 * GIB;

/** Memory where it is large enough, so that no test waits for a disk. */
export const FAST = isRoomy(MEMORY) ? MEMORY : os.tmpdir();

/** An empty directory for one test, gone with it. */
export function makeDirectory(parent: string = FAST): string {
  const directory = mkdtempSync(path.join(parent, 'test-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** One that nobody may write to as well. */
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
