import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { type ProcessOutput, runInProcess } from '../../support/programs/in-process.js';
import { ENTRY } from '../../support/programs/program.js';

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

/** A program that waits for Enter. */
export interface PromptingProgram {
  /** Returns the text on stderr so far. */
  stderrSoFar(): string;
  /** Resolves when the program prompts for this phase. */
  untilPrompt(phase: string): Promise<void>;
  type(text: string): void;
  kill(signal: NodeJS.Signals): void;
  readonly exitCode: Promise<number | null>;
}

/** Starts bonnie++ with a prompt before each test, and kills it at the end of the vitest test. */
export function startPrompting(dir: string, flags: string, entry: string = ENTRY): PromptingProgram {
  const userFlags = flags.includes('-u ') ? [] : USER_FLAGS;
  const args = [entry, 'bonnie++', ...userFlags, '-d', dir, '-y', 'p', ...flags.split(' ')];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'pipe'] });
  const closed = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  let stderr = '';
  let check = () => {};
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    check();
  });
  return {
    stderrSoFar: () => stderr,
    untilPrompt: (phase) => {
      const prompted = new Promise<void>((resolve) => {
        check = () => stderr.endsWith(`Press Enter to start ${phase}\n`) && resolve();
        check();
      });
      const ended = closed.then(() => {
        throw new Error(`it ended without a prompt for ${phase}: ${stderr}`);
      });
      return Promise.race([prompted, ended]);
    },
    type: (text) => child.stdin.write(text),
    kill: (signal) => child.kill(signal),
    exitCode: closed.then(([code]) => code),
  };
}
