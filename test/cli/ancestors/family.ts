import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { ENTRY } from '../../support/programs/program.js';
import { gobonnieHere, type Said } from '../../support/programs/program-here.js';

/** Time for something that should wait to show that it does not. A shorter time fails no test. */
export const aWhile = () => setTimeout(150);

const uid = process.getuid?.();

/** bonnie++ does not run as root without -u. Any user may pass their own id. */
export const ME: readonly string[] = uid === undefined ? [] : ['-u', String(uid)];

/** bonnie++ in `dir`; the flags with spaces between them. */
export function bonniePlusPlus(dir: string, flags: string): Promise<Said> {
  return gobonnieHere(['bonnie++', ...ME, '-d', dir, ...flags.split(' ')]);
}

/** The lines that do not depend on the machine: no warnings, and no line about the user. */
export function toldIn(stderr: string): readonly string[] {
  return linesOf(stderr).filter((line) => !/^(\d[\d/ :]+ )?warning: |^Using uid:/.test(line));
}

export function linesOf(text: string): readonly string[] {
  return text.split('\n').slice(0, -1);
}

/** A program that waits for Enter. */
export interface Prompted {
  /** Its stderr so far. */
  heard(): string;
  /** Resolves when it asks to start this phase. */
  asks(phase: string): Promise<void>;
  type(text: string): void;
  kill(signal: NodeJS.Signals): void;
  readonly exitCode: Promise<number | null>;
}

/** bonnie++ that asks before each test, killed at the end of the vitest test. */
export function prompted(dir: string, flags: string, entry: string = ENTRY): Prompted {
  const who = flags.includes('-u ') ? [] : ME;
  const args = [entry, 'bonnie++', ...who, '-d', dir, '-y', 'p', ...flags.split(' ')];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'pipe'] });
  const closed = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  let heard = '';
  let look = () => {};
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    heard += text;
    look();
  });
  return {
    heard: () => heard,
    asks: (phase) => {
      const asked = new Promise<void>((resolve) => {
        look = () => heard.endsWith(`Press Enter to start ${phase}\n`) && resolve();
        look();
      });
      const ended = closed.then(() => {
        throw new Error(`it ended without asking for ${phase}: ${heard}`);
      });
      return Promise.race([asked, ended]);
    },
    type: (text) => child.stdin.write(text),
    kill: (signal) => child.kill(signal),
    exitCode: closed.then(([code]) => code),
  };
}
