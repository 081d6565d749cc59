import { readFileSync } from 'node:fs';
import { onTestFinished, vi } from 'vitest';
import { type ProgramOptions, type StartedProcess, startGobonnie } from './program.js';

const PROGRESS_BYTES = 1024 ** 2;

/** The real program while it runs. */
export interface RunningProgram extends StartedProcess {
  readonly pid: number;
  /** Its stderr so far. */
  stderrSoFar(): string;
  /** Resolves as soon as its stderr matches. */
  untilStderr(pattern: RegExp): Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

/** Starts the real program, and kills it at the end of the test. */
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
        child.on('close', () => reject(new Error(`it ended without saying ${pattern}: ${stderr}`)));
      }),
    kill: (signal) => {
      child.kill(signal);
    },
  };
}

/** The bytes that it has read so far, as the kernel counts them. */
export function countReadBytes({ pid }: RunningProgram): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
}

/** Resolves once it has read another MiB: then it is in the middle of a phase that reads. */
export async function untilReading(program: RunningProgram): Promise<void> {
  const before = countReadBytes(program);
  await vi.waitUntil(() => countReadBytes(program) > before + PROGRESS_BYTES, {
    timeout: 100_000,
    interval: 2,
  });
}
