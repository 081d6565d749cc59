import { spawn } from 'node:child_process';
import { closeSync, opendirSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { isStopped } from '../../support/programs/process-state.js';
import { ENTRY } from '../../support/programs/program.js';
import type { RunFiles } from './run-files.js';

const POLL_MS = 3;

/** The program under strace. */
export interface TracedRun {
  readonly pid: number;
  /** Resolves to the exit code, or to null if the program was killed. */
  readonly ended: Promise<number | null>;
  /** Waits until a signal has stopped the program; returns its threads in the order of their creation. */
  untilStopped(): Promise<readonly string[]>;
}

export function startTracedRun(
  tracing: readonly string[],
  args: readonly string[],
  files: RunFiles,
): TracedRun {
  // With -D, strace is a grandchild and the program itself is the child, which gives its id and exit code.
  const command = [
    '-D',
    '-qq',
    '-ttt',
    '-y',
    '-s',
    '64',
    '-o',
    files.log,
    ...tracing,
    process.execPath,
    ENTRY,
    ...args,
  ];
  // Files, because strace shows their paths.
  const stdout = openSync(files.stdout, 'w');
  const stderr = openSync(files.stderr, 'w');
  // With one thread in libuv's pool, that thread makes all calls except the worker's.
  const env = { ...process.env, UV_THREADPOOL_SIZE: '1' };
  const child = spawn('strace', command, { stdio: ['ignore', stdout, stderr], env });
  for (const fd of [stdout, stderr]) closeSync(fd);
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const pid = child.pid ?? 0;
  let isOver = false;
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (exitCode) => {
      isOver = true;
      resolve(exitCode);
    });
  });
  return {
    pid,
    ended,
    async untilStopped() {
      for (;;) {
        if (isOver)
          throw new Error(`the program ended before it was stopped: ${readFileSync(files.stderr, 'utf8')}`);
        const threads = listThreads(pid);
        // strace traces the first thread, which therefore has another state.
        const [, ...others] = threads;
        if (others.length > 0 && others.every((tid) => isStopped(pid, tid))) return threads;
        await delay(POLL_MS);
      }
    },
  };
}

/** A second strace, which makes calls of one thread fail. */
export interface Injection {
  readonly ended: Promise<void>;
}

/** Resolves when strace has attached to the thread. */
export async function injectIntoThread(
  tid: string,
  fault: readonly string[],
  log: string,
): Promise<Injection> {
  const options = ['-ttt', '-y', '-o', log, ...fault, '-p', tid];
  const child = spawn('strace', options, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise<void>((resolve) => {
    child.on('exit', () => resolve());
  });
  let stderr = '';
  await new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', () => reject(new Error(`strace could not attach to the thread: ${stderr}`)));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      if (stderr.includes(`Process ${tid} attached`)) resolve();
    });
  });
  return { ended };
}

/** Returns the threads in the kernel's order, which is the order of creation; readdir would sort them. */
function listThreads(pid: number): readonly string[] {
  try {
    const directory = opendirSync(`/proc/${pid}/task`);
    const names: string[] = [];
    for (let entry = directory.readSync(); entry; entry = directory.readSync()) names.push(entry.name);
    directory.closeSync();
    return names;
  } catch {
    return [];
  }
}
