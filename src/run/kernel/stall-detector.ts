import type { Stall } from '../../report/events/event-record.js';
import { MS_PER_SECOND } from '../../text/units.js';
import { createSuspensionClock } from './suspension.js';

const CHECK_EVERY_MS = 500;
/** After Ctrl-C gobonnie reports a stall sooner. */
const ABORT_TIMEOUT_SECONDS = 2;

/** Reports a stall once, and again if the run is aborted and still waits. */
export class StallDetector {
  readonly #timeoutSeconds: number;
  readonly #signal: AbortSignal;
  readonly #onStall: (stall: Stall) => void;
  /** The current stall that was reported. Other stalled work has the same cause, so it is not reported. */
  #reported: Promise<unknown> | null = null;

  /** A timeout of 0 reports a stall only after an abort. */
  constructor(timeoutSeconds: number, signal: AbortSignal, onStall: (stall: Stall) => void) {
    this.#timeoutSeconds = timeoutSeconds;
    this.#signal = signal;
    this.#onStall = onStall;
  }

  /**
   * Watches work that may wait forever, for example for a disk, a server or a FUSE program that is gone. `waitingFor`
   * names what the work currently waits for. `progress` returns a number that changes while the work makes progress.
   */
  async watch<Result>(
    waitingFor: string | (() => string),
    work: Promise<Result>,
    progress = () => 0,
  ): Promise<Result> {
    let last = progress();
    let since = performance.now();
    let wasAborted = this.#signal.aborted;
    const takeSuspendedMs = createSuspensionClock(CHECK_EVERY_MS);
    const clear = () => {
      if (this.#reported === work) this.#reported = null;
    };
    const check = () => {
      const now = performance.now();
      const isAborted = this.#signal.aborted;
      const current = progress();
      // Time during which gobonnie was suspended does not count.
      since += takeSuspendedMs();
      if (current !== last || isAborted !== wasAborted) {
        last = current;
        wasAborted = isAborted;
        since = now;
        clear();
      }
      const seconds = (now - since) / MS_PER_SECOND;
      const limitSeconds = isAborted ? ABORT_TIMEOUT_SECONDS : this.#timeoutSeconds;
      if (this.#reported || limitSeconds === 0 || seconds < limitSeconds) return;
      this.#reported = work;
      const description = typeof waitingFor === 'string' ? waitingFor : waitingFor();
      this.#onStall({ waitingFor: description, seconds: Math.floor(seconds), isAborted });
    };
    const timer = setInterval(check, CHECK_EVERY_MS).unref();
    try {
      return await work;
    } finally {
      clearInterval(timer);
      clear();
    }
  }
}
