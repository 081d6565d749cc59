import { vi } from 'vitest';
import { type ProcessOutput, runInProcess } from '../../support/programs/in-process.js';
import { ENTRY } from '../../support/programs/program.js';
import { startGobonnieForTest } from '../../support/programs/running-program.js';

const uid = process.getuid?.();

/** bonnie++ does not run as root without -u. Any user may pass their own id. */
export const USER_FLAGS: readonly string[] = uid === undefined ? [] : ['-u', String(uid)];

/** Runs bonnie++ in `dir`. Spaces separate the flags. */
export function runBonniePlusPlus(dir: string, flags: string): Promise<ProcessOutput> {
  return runInProcess(['bonnie++', ...USER_FLAGS, '-d', dir, ...flags.split(' ')]);
}

/** Returns the lines that do not depend on the machine, without warnings and the line about the user. */
export function stableLines(stderr: string): readonly string[] {
  return splitLines(stderr).filter((line) => !/^(\d[\d/ :]+ )?warning: |^Using uid:/.test(line));
}

export function splitLines(text: string): readonly string[] {
  return text.split('\n').slice(0, -1);
}

/** Starts bonnie++ with a prompt before each test, and kills it at the end of the vitest test. */
export function startPrompting(dir: string, flags: string, entry: string = ENTRY) {
  const userFlags = flags.includes('-u ') ? [] : USER_FLAGS;
  const args = ['bonnie++', ...userFlags, '-d', dir, '-y', 'p', ...flags.split(' ')];
  const program = startGobonnieForTest(args, { stdin: 'pipe', entry });
  return {
    ...program,
    /** Resolves when the program prompts for this phase. */
    untilPrompt: (phase: string) =>
      vi.waitUntil(() => program.stderrSoFar().endsWith(`Press Enter to start ${phase}\n`), 60_000),
    type: (text: string) => program.child.stdin?.write(text),
  };
}
