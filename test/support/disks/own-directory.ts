import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, vi } from 'vitest';
import { FAST } from './directory.js';

/**
 * A directory of its own that is the working and the temporary directory of this file's tests: what is written by
 * mistake is written there, and not beside what other tests do meanwhile.
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

/** All that stands on it, and when it was changed last. */
export function listing(): string {
  return readdirSync('.')
    .toSorted()
    .map((name) => {
      const { size, mtimeMs, mode } = lstatSync(name);
      return `${name} ${size} ${mtimeMs} ${mode}`;
    })
    .join('\n');
}
