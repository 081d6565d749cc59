import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { ENTRY } from '../../support/programs/program.js';
import { gobonnieHere, type Said } from '../../support/programs/program-here.js';

/** Long enough for what should wait to show that it does not; nothing fails when it is too short. */
export const aWhile = () => setTimeout(150);

const uid = process.getuid?.();

/** bonnie++ does not run as root unless it is told to; everybody may name himself. */
export const ME: readonly string[] = uid === undefined ? [] : ['-u', String(uid)];

/** bonnie++ in `dir`; the flags with spaces between them. */
export function bonniePlusPlus(dir: string, flags: string): Promise<Said> {
  return gobonnieHere(['bonnie++', ...ME, '-d', dir, ...flags.split(' ')]);
}

/** The lines that are no warning and say not whose it is: those depend on the machine. */
export function toldIn(stderr: string): readonly string[] {
  return linesOf(stderr).filter((line) => !/^(\d[\d/ :]+ )?warning: |^Using uid:/.test(line));
}

export function linesOf(text: string): readonly string[] {
  return text.split('\n').slice(0, -1);
}

/** The program in front of somebody who can press Enter. */
export interface Prompted {
  /** Its stderr so far. */
  heard(): string;
  /** Resolves when it asks whether it may start a test. */
  asks(phase: string): Promise<void>;
  type(text: string): void;
  kill(signal: NodeJS.Signals): void;
  readonly exitCode: Promise<number | null>;
}

/** bonnie++ that asks before each test, and does not outlive its own. */
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
