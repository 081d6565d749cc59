import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

export type Command = readonly [program: string, ...args: string[]];

export interface Exit {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Time from just before the spawn to the exit. */
  readonly elapsedMs: number;
}

export interface Child {
  readonly pid: number | undefined;
  /** Time just before the spawn, on the clock of performance.now(). */
  readonly startedAtMs: number;
  readonly exit: Promise<Exit>;
  isRunning(): boolean;
  stop(): void;
}

/** Environment without NODE_EXTRA_CA_CERTS, which makes every node read certificates at start for 100 ms or more. */
const { NODE_EXTRA_CA_CERTS: _certificates, ...env } = process.env;

export function startChild([program, ...args]: Command, signal: AbortSignal, cwd?: string): Child {
  signal.throwIfAborted();
  const startedAtMs = performance.now();
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = () => {
    child.kill('SIGTERM');
  };
  signal.addEventListener('abort', stop);
  const exited = new Promise<{ code: number | null; elapsedMs: number }>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve({ code, elapsedMs: performance.now() - startedAtMs }));
  }).finally(() => signal.removeEventListener('abort', stop));
  return {
    pid: child.pid,
    startedAtMs,
    exit: Promise.all([exited, text(child.stdout), text(child.stderr)]).then(([end, stdout, stderr]) => ({
      ...end,
      stdout,
      stderr,
    })),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    stop,
  };
}

/** Waits until the child has exited, and throws unless its exit code is 0. */
export async function untilSuccess(child: Child, command: Command, signal: AbortSignal): Promise<Exit> {
  const exit = await child.exit;
  signal.throwIfAborted();
  if (exit.code !== 0) throw exitError(command, exit);
  return exit;
}

export function exitError(command: Command, exit: Exit): Error {
  const lines = exit.stderr.trim().split('\n');
  // After a stack trace, node's last line is only its version.
  const reason = lines.findLast((line) => line.includes('Error')) ?? lines.at(-1);
  return new Error(`${command.join(' ')} ended with ${exit.code ?? 'a signal'}: ${reason}`);
}

export function runChild(command: Command, signal: AbortSignal, cwd?: string): Promise<Exit> {
  return untilSuccess(startChild(command, signal, cwd), command, signal);
}
