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
  /** Resolves as soon as stdout matches. */
  untilStdout(pattern: RegExp): Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

/** Starts the built program, and kills it at the end of the test. */
export function startGobonnieForTest(args: readonly string[], options: ProgramOptions = {}): RunningProgram {
  const { child, exitResult } = startGobonnie(args, options);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.on('data', (text: string) => {
      output[name] += text;
    });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exitResult;
  });
  const until = (name: 'stdout' | 'stderr', pattern: RegExp) =>
    new Promise<void>((resolve, reject) => {
      const check = () => pattern.test(output[name]) && resolve();
      check();
      child[name]?.on('data', check);
      child.on('close', () =>
        reject(new Error(`the program ended without printing ${pattern}: ${output[name]}`)),
      );
    });
  return {
    child,
    exitResult,
    pid: child.pid ?? 0,
    stderrSoFar: () => output.stderr,
    untilStderr: (pattern) => until('stderr', pattern),
    untilStdout: (pattern) => until('stdout', pattern),
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
