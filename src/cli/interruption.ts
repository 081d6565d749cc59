import type { Stall } from '../report/events/event.js';
import { StallDetector } from '../run/kernel/stall-detector.js';
import { SYSTEM_LOG } from '../system-error.js';
import type { CliProcess, Terminal } from './output/terminal.js';
import { catchSignals, type SignalName } from './signals.js';

/** A terminal sends one Ctrl-C to a program and to the npm that runs it, which passes it on. */
const DUPLICATE_SIGNAL_MS = 500;

/** The reasons to abort a run other than a signal. */
export const STDOUT_FAILED = 'a closed stdout';
export const OUT_FAILED = 'a failed write to --out';

interface InterruptionOptions {
  /** Signals that are ignored. */
  readonly ignored?: readonly SignalName[] | undefined;
  /** Whether files have been made that must be removed. */
  readonly createsFiles?: boolean;
  /** Called before a second signal ends the process. */
  readonly onForcedExit?: () => void;
}

/**
 * Ends a run early: a first signal or a closed stdout stops it and lets it clean up, a second signal ends the process.
 */
export class Interruption {
  readonly #abort = new AbortController();
  readonly #process: Pick<CliProcess, 'pid' | 'kill' | 'platform'>;
  readonly #terminal: Pick<Terminal, 'log'>;
  readonly #options: InterruptionOptions;
  readonly #release: () => void;
  /** When the first signal came. A closed stdout aborts without one. */
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

  /** From now on signals end the process, as they do by default. */
  end(): void {
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
    const remaining = createsFiles ? '; remaining files are removed once the disk responds' : '';
    this.#terminal.log(`gobonnie: quit at the second ${name}${remaining}`);
    this.#release();
    // Uncaught, it ends the process even if a thread is stuck in the kernel. Windows knows only one way to end a process.
    this.#process.kill(this.#process.pid, this.#process.platform === 'win32' ? 'SIGKILL' : name);
  }
}

/** Says when something that waits for the kernel makes no progress. Without a signal, Ctrl-C ends the process. */
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
        `check the disk, or the server or program behind it, and ${SYSTEM_LOG}, or press Ctrl-C`;
}
