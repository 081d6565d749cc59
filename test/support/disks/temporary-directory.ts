import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, vi } from 'vitest';
import { FAST_DIRECTORY } from './directory.js';

/**
 * Gives the tests of a file their own working and temporary directory, so that `listing` shows what they write by
 * mistake, and nothing of other tests.
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

/** Everything in it, with the time of the last change. */
export function listDirectory(): string {
  return readdirSync('.')
    .toSorted()
    .map((name) => {
      const { size, mtimeMs, mode } = lstatSync(name);
      return `${name} ${size} ${mtimeMs} ${mode}`;
    })
    .join('\n');
}
