import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'vitest';
import type { ProgramOptions } from './programs/program.js';

/** The user who owns nothing, but may read the project even in a directory that only root can enter. */
export const NOBODY: ProgramOptions = {
  as: [
    ...['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'],
    ...['--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search'],
  ],
  env: { ...process.env, HOME: '/' },
};

/**
 * For `beforeEach`: a test whose tool is missing fails in CI, and is skipped elsewhere. A test that needs root is always
 * skipped for other users: `.ci/run` runs it as root afterwards.
 */
export function requireTools(...tools: readonly string[]): (context: TestContext) => void {
  const missing = tools.filter((tool) => !isAvailable(tool));
  return ({ skip }) => {
    if (missing.length === 0) return;
    const reason = `this test needs ${missing.join(', ')}`;
    if (process.env.CI && !missing.includes('root'))
      throw new Error(`${reason}, which this machine does not have`);
    skip(reason);
  };
}

/** For `beforeEach`: the test runs the program as nobody. */
export const requireNobody = requireTools('root', 'setpriv');

/** Whether this is root, the file exists, or the program is installed. */
export function isAvailable(tool: string): boolean {
  if (tool === 'root') return process.getuid?.() === 0;
  return path.isAbsolute(tool) ? existsSync(tool) : findOnPath(tool) !== undefined;
}

/** The path of an installed program. */
export function findOnPath(tool: string): string | undefined {
  const candidates = (process.env.PATH ?? '')
    .split(path.delimiter)
    .map((directory) => path.join(directory, tool));
  return candidates.find((place) => {
    try {
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
