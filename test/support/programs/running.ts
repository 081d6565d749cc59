import { readFileSync } from 'node:fs';
import { onTestFinished, vi } from 'vitest';
import { type ProgramOptions, type Started, startGobonnie } from './program.js';

const SOMEWHAT_BYTES = 1024 ** 2;

/** The real program while it runs. */
export interface RunningProgram extends Started {
  readonly pid: number;
  /** Its stderr so far. */
  heard(): string;
  /** Resolves as soon as its stderr matches. */
  said(pattern: RegExp): Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

/** Starts the real program, and kills it at the end of the test. */
export function runningGobonnie(args: readonly string[], options: ProgramOptions = {}): RunningProgram {
  const { child, ended } = startGobonnie(args, options);
  let heard = '';
  child.stderr?.on('data', (text: string) => {
    heard += text;
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return {
    child,
    ended,
    pid: child.pid ?? 0,
    heard: () => heard,
    said: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => pattern.test(heard) && resolve();
        look();
        child.stderr?.on('data', look);
        child.on('close', () => reject(new Error(`it ended without saying ${pattern}: ${heard}`)));
      }),
    kill: (signal) => {
      child.kill(signal);
    },
  };
}

/** The bytes that it has read so far, as the kernel counts them. */
export function readBytesOf({ pid }: RunningProgram): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
}

/** Resolves once it has read another MiB: then it is in the middle of a phase that reads. */
export async function readsOn(program: RunningProgram): Promise<void> {
  const before = readBytesOf(program);
  await vi.waitUntil(() => readBytesOf(program) > before + SOMEWHAT_BYTES, { timeout: 100_000, interval: 2 });
}
