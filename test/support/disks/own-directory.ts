import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, vi } from 'vitest';
import { FAST } from './directory.js';

/**
 * Gives the tests of a file their own working and temporary directory, so that `listing` shows what they write by
 * mistake, and nothing of other tests.
 */
export function useOwnDirectory(prepare: () => void = () => {}): void {
  const before = process.cwd();
  let ground = '';
  beforeAll(() => {
    ground = mkdtempSync(path.join(FAST, 'test-'));
    process.chdir(ground);
    vi.stubEnv('TMPDIR', ground);
    prepare();
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    process.chdir(before);
    rmSync(ground, { recursive: true, force: true });
  });
}

/** Everything in it, with the time of the last change. */
export function listing(): string {
  return readdirSync('.')
    .toSorted()
    .map((name) => {
      const { size, mtimeMs, mode } = lstatSync(name);
      return `${name} ${size} ${mtimeMs} ${mode}`;
    })
    .join('\n');
}
