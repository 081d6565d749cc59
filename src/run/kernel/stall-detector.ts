import type { Stall } from '../../report/events/event-record.js';
import { MS_PER_SECOND } from '../../text/units.js';
import { createSuspensionClock } from './suspension.js';

const CHECK_EVERY_MS = 200;
/** After Ctrl-C gobonnie reports a stall sooner. */
const ABORT_TIMEOUT_SECONDS = 2;

/** Work that may wait forever, for example for a disk, a server or a FUSE program that is gone. */
export interface WatchedOperation {
  /** Returns what the work currently waits for, for the message. */
  readonly description: () => string;
  /** Returns a number that changes while the work makes progress. */
  readonly progress?: () => number;
}

/** Reports a stall once, and again if the run is aborted and still waits. */
export class StallDetector {
  readonly #timeoutSeconds: number;
  readonly #signal: AbortSignal;
  readonly #onStall: (stall: Stall) => void;
  /** The current stall that was reported. Other stalled work has the same cause, so it is not reported. */
  #reported: WatchedOperation | null = null;

  /** A timeout of 0 reports a stall only after an abort. */
  constructor(timeoutSeconds: number, signal: AbortSignal, onStall: (stall: Stall) => void) {
    this.#timeoutSeconds = timeoutSeconds;
    this.#signal = signal;
    this.#onStall = onStall;
  }

  async watch<Result>(operation: string | WatchedOperation, work: Promise<Result>): Promise<Result> {
    const watched = typeof operation === 'string' ? { description: () => operation } : operation;
    const timer = setInterval(this.#createCheck(watched), CHECK_EVERY_MS).unref();
    try {
      return await work;
    } finally {
      clearInterval(timer);
      this.#clear(watched);
    }
  }

  #createCheck(watched: WatchedOperation): () => void {
    const { description, progress = () => 0 } = watched;
    let last = progress();
    let since = performance.now();
    const takeSuspendedMs = createSuspensionClock(CHECK_EVERY_MS);
    let wasAborted = this.#signal.aborted;
    return () => {
      const now = performance.now();
      const isAborted = this.#signal.aborted;
      const current = progress();
      // Time during which gobonnie was suspended does not count.
      since += takeSuspendedMs();
      if (current !== last || isAborted !== wasAborted) {
        last = current;
        wasAborted = isAborted;
        since = now;
        this.#clear(watched);
      }
      const seconds = (now - since) / MS_PER_SECOND;
      const limitSeconds = isAborted ? ABORT_TIMEOUT_SECONDS : this.#timeoutSeconds;
      if (this.#reported || limitSeconds === 0 || seconds < limitSeconds) return;
      this.#reported = watched;
      this.#onStall({ waitingFor: description(), seconds: Math.floor(seconds), isAborted });
    };
  }

  #clear(watched: WatchedOperation): void {
    if (this.#reported === watched) this.#reported = null;
  }
}
