import type { Stall } from '../report/events/event-record.js';
import { StallDetector } from '../run/kernel/stall-detector.js';
import { SYSTEM_LOG } from '../system-error.js';
import type { CliProcess, Terminal } from './output/terminal.js';
import { catchSignals, type SignalName } from './signals.js';

/** Ctrl-C in a terminal reaches both the program and the npm that runs it, which forwards it again. */
const DUPLICATE_SIGNAL_MS = 500;

/** Reasons to abort a run other than a signal. */
export const STDOUT_FAILED = 'a closed stdout';
export const OUT_FAILED = 'a failed write to --out';

interface InterruptionOptions {
  /** Signals to ignore. */
  readonly ignored?: readonly SignalName[] | undefined;
  /** True if the run creates files that must be removed. */
  readonly createsFiles?: boolean;
  /** Called before a second signal ends the process. */
  readonly onForcedExit?: () => void;
}

/**
 * Ends a run early. The first signal or a closed stdout stops the run, which then cleans up; a second signal kills it.
 */
export class Interruption {
  readonly #abort = new AbortController();
  readonly #process: Pick<CliProcess, 'pid' | 'kill' | 'platform'>;
  readonly #terminal: Pick<Terminal, 'log'>;
  readonly #options: InterruptionOptions;
  readonly #release: () => void;
  /** Arrival time of the first signal. Null if there was none: a closed stdout aborts without a signal. */
  #firstSignalMs: number | null = null;

  constructor(
    process: Pick<CliProcess, 'pid' | 'kill' | 'platform' | 'on' | 'off'>,
    terminal: Pick<Terminal, 'log' | 'onFailure'>,
    options: InterruptionOptions = {},
  ) {
    this.#process = process;
    this.#terminal = terminal;
    this.#options = options;
    this.#release = catchSignals(process, (name) => this.#onSignal(name), options.ignored);
    terminal.onFailure = () => this.abort(STDOUT_FAILED);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  abort(reason: string): void {
    this.#abort.abort(reason);
  }

  /** Restores the default: signals end the process. */
  [Symbol.dispose](): void {
    this.#release();
  }

  #onSignal(name: SignalName): void {
    if (this.#firstSignalMs === null) {
      this.#firstSignalMs = performance.now();
      this.abort(name);
      return;
    }
    if (performance.now() - this.#firstSignalMs < DUPLICATE_SIGNAL_MS) return;
    const { createsFiles = true, onForcedExit } = this.#options;
    onForcedExit?.();
    const cleanUp = createsFiles ? '; the clean-up process removes the files once the disk responds' : '';
    this.#terminal.log(`gobonnie: killed by a second ${name}${cleanUp}`);
    this.#release();
    // An uncaught signal ends the process even if a thread is stuck in the kernel. Windows only supports SIGKILL.
    this.#process.kill(this.#process.pid, this.#process.platform === 'win32' ? 'SIGKILL' : name);
  }
}

/** Logs when an operation is stuck in the kernel. Without `signal`, Ctrl-C ends the process. */
export function createStallDetector(
  timeoutSeconds: number,
  log: (line: string) => void,
  signal: AbortSignal = new AbortController().signal,
): StallDetector {
  return new StallDetector({ timeoutSeconds, signal, onStall: (stall) => log(stallLine(stall)) });
}

export function stallLine({ waitingFor, seconds, isAborted }: Stall): string {
  return isAborted
    ? `gobonnie: stuck waiting for ${waitingFor}; press Ctrl-C again to quit now`
    : `gobonnie: no progress for ${seconds} s, waiting for ${waitingFor}; ` +
        `check the disk (or its file server) and ${SYSTEM_LOG}, or press Ctrl-C`;
}
