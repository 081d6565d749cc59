import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, vi } from 'vitest';
import { FAST_DIRECTORY } from './directory.js';

/**
 * Gives the tests of a file their own working and temporary directory, so `listDirectory` shows only files that these
 * tests write.
 */
export function useTemporaryDirectory(prepare: () => void = () => {}): void {
  const before = process.cwd();
  let directory = '';
  beforeAll(() => {
    directory = mkdtempSync(path.join(FAST_DIRECTORY, 'test-'));
    process.chdir(directory);
    vi.stubEnv('TMPDIR', directory);
    prepare();
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    process.chdir(before);
    rmSync(directory, { recursive: true, force: true });
  });
}

/** Returns every entry of the working directory with its size, modification time and mode. */
export function listDirectory(): string {
  return readdirSync('.')
    .toSorted()
    .map((name) => {
      const { size, mtimeMs, mode } = lstatSync(name);
      return `${name} ${size} ${mtimeMs} ${mode}`;
    })
    .join('\n');
}
