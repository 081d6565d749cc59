import type { Stall } from '../report/events/event.js';
import { Stalls } from '../run/kernel/stalls.js';
import type { CliProcess } from './output/terminal.js';
import { catchSignals, type SignalName } from './signals.js';

/** A terminal sends one Ctrl-C to a program and to the npm that runs it, which passes it on. */
const SAME_KEY_MS = 500;

/** What follows on leaving at once where something was made. */
const REMOVED_BEHIND =
  ', and what is there is removed behind it; should it not be gone, the kernel holds one of its threads until the disk ' +
  'answers, or its FUSE program is killed';

interface Leaving {
  /** The signals that are not caught. */
  readonly ignored?: readonly SignalName[] | undefined;
  /** Whether anything was made that is left behind. */
  readonly leaves?: boolean;
}

/** How a run is ended from outside: in good order by a first signal, at once by a second one. */
export class Interruption {
  readonly #abort = new AbortController();
  readonly #process: CliProcess;
  readonly #say: (line: string) => void;
  readonly #release: () => void;
  readonly #behind: string;
  /** When the first signal came. The signal may be aborted without one: we end a run ourselves, too. */
  #interruptedMs: number | null = null;

  constructor(
    process: CliProcess,
    say: (line: string) => void,
    { ignored = [], leaves = true }: Leaving = {},
  ) {
    this.#process = process;
    this.#say = say;
    this.#behind = leaves ? REMOVED_BEHIND : '';
    this.#release = catchSignals(process, (name) => this.#onSignal(name), ignored);
  }

  /** Called when it is left at once. */
  onLeave: () => void = () => {};

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  abort(reason: string): void {
    this.#abort.abort(reason);
  }

  /** No more signals are caught. */
  end(): void {
    this.#release();
  }

  #onSignal(name: SignalName): void {
    if (this.#interruptedMs === null) {
      this.#interruptedMs = performance.now();
      this.abort(name);
      return;
    }
    if (performance.now() - this.#interruptedMs < SAME_KEY_MS) return;
    this.onLeave();
    this.#say(`gobonnie: left at once by a second ${name}${this.#behind}`);
    this.#release();
    // With nobody to catch it any more it ends the process, even where a thread waits for the kernel.
    this.#process.kill(this.#process.pid, name);
  }
}

/** Of what comes before a run. Nothing is caught yet: Ctrl-C ends it as it ends any program. */
export function stallsBefore(timeoutSeconds: number, say: (line: string) => void): Stalls {
  return stallsUntil(new AbortController().signal, timeoutSeconds, say);
}

export function stallsUntil(
  signal: AbortSignal,
  timeoutSeconds: number,
  say: (line: string) => void,
): Stalls {
  return new Stalls({ timeoutSeconds, signal, onStall: (stall) => say(stallLine(stall)) });
}

export function stallLine({ waiting, seconds, isAborted }: Stall): string {
  return isAborted
    ? `gobonnie: the kernel does not answer ${waiting}, so that it cannot be stopped in good order; ` +
        'once more Ctrl-C (or the signal) leaves at once; what a run has made is removed when the kernel lets go'
    : `gobonnie: nothing has moved for ${seconds} s: the kernel does not answer ${waiting}; ` +
        'look at the disk, its server or its FUSE program (dmesg), or press Ctrl-C';
}
