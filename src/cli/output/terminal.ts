import { fstatSync } from 'node:fs';
import type { GobonnieError } from '../../errors.js';
import { createPaint, type Paint } from '../../format/human/screen.js';
import { errorWithReason, hasCode } from '../../system-error.js';
import { wrapLine } from '../../text/wrap.js';
import { withProgramName } from '../argv/program-name.js';
import { createLiveLine, type LiveLine, type LiveText, terminalColumns } from './live-line.js';

/** The part of `process` that the command line uses; tests pass a fake. */
export type CliProcess = Pick<
  NodeJS.Process,
  'argv' | 'env' | 'platform' | 'pid' | 'kill' | 'stdout' | 'stderr' | 'on' | 'off'
> &
  Partial<Pick<NodeJS.Process, 'stdin' | 'geteuid' | 'getegid'>> & {
    exitCode?: number | string | null | undefined;
  };

/** Results go to stdout and must not be lost; messages go to stderr and may be lost. */
export class Terminal {
  readonly process: CliProcess;
  /** Resolves when all text so far is written, or cannot be. */
  #lastWrite: Promise<void> = Promise.resolve();
  #failure: GobonnieError | null = null;
  #liveLine: LiveLine | null = null;
  /** True if stdout may appear on the same screen as stderr, directly or through a pipe. */
  readonly isStdoutVisible: boolean;
  /** True to discard all text: only rank 0 of a job prints. */
  readonly isSilent: boolean;

  constructor(process: CliProcess, isSilent = false) {
    this.process = process;
    this.isSilent = isSilent;
    this.isStdoutVisible = mayBeVisible(process.stdout);
    // Without a listener, a closed pipe would end the process. The write's callback reports the error.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  }

  onFailure: (error: GobonnieError) => void = () => {};

  print(text: string): void {
    if (text === '' || this.isSilent || this.#failure) return;
    if (this.isStdoutVisible) this.#liveLine?.eraseUntilNextFrame();
    this.#lastWrite = new Promise((resolve) => {
      this.process.stdout.write(text, (error) => {
        if (error) this.#fail(error);
        resolve();
      });
    });
  }

  /** Rejects if stdout could not be written. */
  async flushed(): Promise<void> {
    await this.#lastWrite;
    if (this.#failure) throw this.#failure;
  }

  /** True if the program that reads stdout has exited. */
  get isStdoutClosed(): boolean {
    return hasCode(this.#failure?.cause, 'EPIPE');
  }

  /** Prints a line to stderr, with the commands to type. On a terminal, wraps a long line. */
  readonly log = (line: string): void => {
    if (this.isSilent) return;
    const { stderr, env } = this.process;
    const message = withProgramName(line, env);
    const lines = stderr.isTTY ? wrapLine(message, terminalColumns(stderr)) : [message];
    const text = `${lines.join('\n')}\n`;
    if (this.#liveLine) this.#liveLine.print(text);
    else stderr.write(text);
  };

  /** Shows a line below all printed text, until `endLiveLine` is called. */
  showLiveLine(text: LiveText): LiveLine {
    this.#liveLine = createLiveLine(this.process.stderr, text);
    return this.#liveLine;
  }

  endLiveLine(): void {
    this.#liveLine?.end();
  }

  #fail(cause: Error): void {
    if (this.#failure) return;
    const hint = 'redirect it to another file or pipe';
    this.#failure = errorWithReason('output-failed', 'could not write to stdout', cause, hint);
    this.onFailure(this.#failure);
  }
}

/** False for a regular file and the null device. */
function mayBeVisible({ isTTY, fd }: CliProcess['stdout']): boolean {
  if (isTTY) return true;
  try {
    const stats = fstatSync(fd);
    return stats.isFIFO() || stats.isSocket();
  } catch {
    return true;
  }
}

type ProcessInfo = Pick<NodeJS.Process, 'platform' | 'env'>;
type OutputStream = Partial<Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>>;

/** Returns null if the stream is not an interactive terminal, where text can be redrawn. */
export function detectScreen(stream: OutputStream, processInfo: ProcessInfo, requestedColor?: boolean) {
  if (!isInteractive(stream, processInfo)) return null;
  const paint = detectPaint(stream, processInfo, requestedColor);
  return { paint, columns: terminalColumns(stream) };
}

/** A flag takes precedence over the environment, and the environment over the stream. */
export function detectPaint(stream: OutputStream, processInfo: ProcessInfo, requestedColor?: boolean): Paint {
  const { env } = processInfo;
  return createPaint(requestedColor ?? colorFromEnvironment(env) ?? isInteractive(stream, processInfo));
}

function isInteractive({ isTTY }: OutputStream, { platform, env: { TERM = '', CI = '' } }: ProcessInfo) {
  // Windows sets no TERM, but its terminal supports escape sequences.
  const isDumb = TERM === 'dumb' || (TERM === '' && platform !== 'win32');
  const isCi = !['', '0', 'false'].includes(CI);
  return isTTY === true && !isDumb && !isCi;
}

/** Reads FORCE_COLOR, otherwise NO_COLOR, like Node. Undefined if neither is set. */
function colorFromEnvironment({ FORCE_COLOR, NO_COLOR }: NodeJS.ProcessEnv): boolean | undefined {
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return NO_COLOR ? false : undefined;
}
