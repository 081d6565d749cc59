import { EventEmitter } from 'node:events';
import { Writable } from 'node:stream';
import { main } from '../../../src/cli/main.js';
import type { CliProcess } from '../../../src/cli/output/terminal.js';

export interface Said {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: CliProcess['exitCode'];
}

export interface Watch {
  /** Called with each line of stdout as it is printed; if it returns a signal, that is sent. */
  readonly onLine?: (line: string) => NodeJS.Signals | undefined;
  /** Called with each line of stderr, before the program continues. */
  readonly onSaid?: (line: string) => void;
  /** Stdout is closed from this line on. */
  readonly closedAt?: number;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs the program in this process, with its own streams and signals: it says the same and starts at once. */
export async function gobonnieHere(args: readonly string[], watch: Watch = {}): Promise<Said> {
  const signals = new EventEmitter();
  let stdout = '';
  let stderr = '';
  const cliProcess = {
    argv: ['node', 'gobonnie', ...args],
    env: watch.env ?? {},
    on: signals.on.bind(signals),
    off: signals.off.bind(signals),
    stdout: writable((text) => {
      if (stdout.split('\n').length - 1 >= (watch.closedAt ?? Number.POSITIVE_INFINITY))
        throw Object.assign(new Error('broken pipe'), { code: 'EPIPE', errno: -32 });
      stdout += text;
      const signal = watch.onLine?.(text);
      if (signal) signals.emit(signal);
    }),
    stderr: writable((text) => {
      stderr += text;
      watch.onSaid?.(text);
    }),
    exitCode: 0,
  } as unknown as CliProcess;
  await main(cliProcess);
  return { stdout, stderr, exitCode: cliProcess.exitCode };
}

function writable(take: (text: string) => void): Writable {
  return new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      try {
        take(text);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
}
