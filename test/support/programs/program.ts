import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The outcome of a command. */
export interface ExitResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface StartedProcess {
  readonly child: ChildProcess;
  readonly exitResult: Promise<ExitResult>;
}

export interface ProgramOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Prefix of the command, for example to run it as another user. */
  readonly as?: readonly string[];
  readonly stdin?: 'pipe';
  /** The program to start, if it is a copy. */
  readonly entry?: string;
}

export const ENTRY = fileURLToPath(new URL('../../../bin/gobonnie.cjs', import.meta.url));

/** Starts any command. */
export function startProcess(
  command: string,
  args: readonly string[],
  options: ProgramOptions = {},
): StartedProcess {
  const { as = [], stdin = 'ignore', ...spawnOptions } = options;
  const [program = command, ...rest] = [...as, command, ...args];
  const child = spawn(program, rest, { ...spawnOptions, stdio: [stdin, 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const exitResult = new Promise<ExitResult>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode, signal) => resolve({ stdout, stderr, exitCode, signal }));
  });
  return { child, exitResult };
}

/** Starts the built program. */
export function startGobonnie(args: readonly string[], options: ProgramOptions = {}): StartedProcess {
  return startProcess(process.execPath, [options.entry ?? ENTRY, ...args], options);
}

/** Runs the built program until it exits. */
export function runGobonnie(args: readonly string[], options: ProgramOptions = {}): Promise<ExitResult> {
  return startGobonnie(args, options).exitResult;
}
