import { readFileSync } from 'node:fs';
import { onTestFinished, vi } from 'vitest';
import { type ProgramOptions, type StartedProcess, startGobonnie } from './program.js';

const PROGRESS_BYTES = 32 * 1024 ** 2;

/** The built program while it runs. */
export interface RunningProgram extends StartedProcess {
  readonly pid: number;
  /** Returns the stderr output so far. */
  stderrSoFar(): string;
  /** Resolves as soon as stderr matches. */
  untilStderr(pattern: RegExp): Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

/** Starts the built program, and kills it at the end of the test. */
export function startGobonnieForTest(args: readonly string[], options: ProgramOptions = {}): RunningProgram {
  const { child, exitResult } = startGobonnie(args, options);
  let stderr = '';
  child.stderr?.on('data', (text: string) => {
    stderr += text;
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exitResult;
  });
  return {
    child,
    exitResult,
    pid: child.pid ?? 0,
    stderrSoFar: () => stderr,
    untilStderr: (pattern) =>
      new Promise((resolve, reject) => {
        const check = () => pattern.test(stderr) && resolve();
        check();
        child.stderr?.on('data', check);
        child.on('close', () =>
          reject(new Error(`the program ended without printing ${pattern}: ${stderr}`)),
        );
      }),
    kill: (signal) => {
      child.kill(signal);
    },
  };
}

/** Returns the kernel's count of the bytes that the program has read so far. */
export function countReadBytes({ pid }: Pick<RunningProgram, 'pid'>): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
}

/** Resolves when the program has read more than its warm-up reads, so it is in the middle of a read phase. */
export async function untilReading(program: RunningProgram): Promise<void> {
  const before = countReadBytes(program);
  await vi.waitUntil(() => countReadBytes(program) > before + PROGRESS_BYTES, {
    timeout: 100_000,
    interval: 2,
  });
}
