import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'vitest';
import type { ProgramOptions } from './programs/program.js';

/** A user who owns nothing, but may read the project even in a directory that only root can enter. */
export const NOBODY: ProgramOptions = {
  as: [
    ...['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'],
    ...['--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search'],
  ],
  env: { ...process.env, HOME: '/' },
};

/**
 * For `beforeEach`: a test whose tool is missing fails in CI and is skipped elsewhere. Other users always skip a test
 * that needs root: `.ci/run` runs it later as root.
 */
export function requireTools(...tools: readonly string[]): (context: TestContext) => void {
  const missing = tools.filter((tool) => !isAvailable(tool));
  return ({ skip }) => {
    if (missing.length === 0) return;
    const reason = `this test needs ${missing.join(', ')}`;
    if (process.env.CI && !missing.includes('root'))
      throw new Error(`${reason}, which is missing on this machine`);
    skip(reason);
  };
}

/** For `beforeEach` of tests that run the program as nobody. */
export const requireNobody = requireTools('root', 'setpriv');

/** Returns true if this user is root, the file exists or the program is installed. */
export function isAvailable(tool: string): boolean {
  if (tool === 'root') return process.getuid?.() === 0;
  return path.isAbsolute(tool) ? existsSync(tool) : findOnPath(tool) !== undefined;
}

/** Returns the path of an installed program, or undefined. */
export function findOnPath(tool: string): string | undefined {
  const candidates = (process.env.PATH ?? '')
    .split(path.delimiter)
    .map((directory) => path.join(directory, tool));
  return candidates.find((candidate) => {
    try {
      accessSync(candidate, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
