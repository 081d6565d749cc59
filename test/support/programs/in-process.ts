import { EventEmitter } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { main } from '../../../src/cli/main.js';
import type { CliProcess } from '../../../src/cli/output/terminal.js';

export interface ProcessOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: CliProcess['exitCode'];
}

export interface OutputHooks {
  /** Called with each printed line of stdout; may return a signal to send to the program. */
  readonly onStdoutLine?: (line: string) => NodeJS.Signals | undefined;
  /** Called with each line of stderr, before the program continues. */
  readonly onStderrLine?: (line: string) => void;
  /** Receives the text of both streams in its order. */
  readonly log?: string[];
  /** Closes stdout after this many lines. */
  readonly closeStdoutAfterLines?: number;
  readonly env?: NodeJS.ProcessEnv;
  readonly stdin?: string;
  /** The width of the terminal that is stdout. Without it, stdout is a pipe. */
  readonly columns?: number;
}

/** Runs the program in this process, with separate streams and signals: same output, without the start-up time. */
export async function runInProcess(args: readonly string[], hooks: OutputHooks = {}): Promise<ProcessOutput> {
  const signals = new EventEmitter();
  let stdout = '';
  let stderr = '';
  const cliProcess = {
    argv: ['node', 'gobonnie', ...args],
    env: hooks.env ?? {},
    on: signals.on.bind(signals),
    off: signals.off.bind(signals),
    stdout: createWritable(hooks.columns, (text) => {
      if (stdout.split('\n').length - 1 >= (hooks.closeStdoutAfterLines ?? Number.POSITIVE_INFINITY))
        throw Object.assign(new Error('broken pipe'), { code: 'EPIPE', errno: -32 });
      stdout += text;
      hooks.log?.push(text);
      const signal = hooks.onStdoutLine?.(text);
      if (signal) signals.emit(signal, signal);
    }),
    stderr: createWritable(undefined, (text) => {
      stderr += text;
      hooks.log?.push(text);
      hooks.onStderrLine?.(text);
    }),
    stdin: Readable.from([hooks.stdin ?? '']),
    exitCode: 0,
  } as unknown as CliProcess;
  await main(cliProcess);
  return { stdout, stderr, exitCode: cliProcess.exitCode };
}

function createWritable(columns: number | undefined, onText: (text: string) => void): Writable {
  const writable = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      try {
        onText(text);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
  return Object.assign(writable, columns && { isTTY: true, columns });
}
