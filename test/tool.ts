import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'vitest';
import { ENTRY } from './program.js';

/** The user that owns nothing. */
export const NOBODY = { uid: 65534, gid: 65534, env: { ...process.env, HOME: '/' } } as const;

/** What is no program on the PATH, but may be missing all the same. */
const OTHER: Readonly<Record<string, () => boolean>> = {
  '/proc/self/io': () => existsSync('/proc/self/io'),
  root: () => process.getuid?.() === 0,
  'root and a project that nobody can read': () =>
    spawnSync(process.execPath, [ENTRY, '--version'], NOBODY).status === 0,
};

/** For `beforeEach`: a test whose tool is missing fails in CI and says so; it is skipped only outside CI. */
export function needs(...tools: readonly string[]): (context: TestContext) => void {
  const missing = tools.filter((tool) => !(OTHER[tool] ?? (() => isOnPath(tool)))());
  return ({ skip }) => {
    if (missing.length === 0) return;
    const words = `this test needs ${missing.join(', ')}`;
    if (process.env.CI) throw new Error(`${words}, which this machine does not have`);
    skip(words);
  };
}

/** For `beforeEach`: the test runs the program as nobody. */
export const needsNobody = needs('root and a project that nobody can read');

function isOnPath(tool: string): boolean {
  return (process.env.PATH ?? '').split(path.delimiter).some((directory) => {
    try {
      accessSync(path.join(directory, tool), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
