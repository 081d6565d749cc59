import type { Stall } from '../../report/events/event.js';
import { MS_PER_SECOND } from '../../text/units.js';
import { SuspensionClock } from './suspension.js';

const CHECK_EVERY_MS = 200;
/** After Ctrl-C gobonnie reports a stall sooner. */
const ABORT_TIMEOUT_SECONDS = 2;

/** Something that may wait forever, for example for a disk, a server or a FUSE program that is gone. */
export interface WatchedOperation {
  /** What it waits for now, for the message. */
  readonly description: () => string;
  /** While this number changes, nothing is stalled. */
  readonly progress?: () => number;
}

interface StallDetectorOptions {
  /** 0 reports a stall only after an abort. */
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
  readonly onStall: (stall: Stall) => void;
}

/** Reports a stall once, and once more if the run is aborted and still waits. */
export class StallDetector {
  readonly #hooks: StallDetectorOptions;
  /** The reported stall that still lasts. Anything else that waits has the same cause. */
  #reported: WatchedOperation | null = null;

  constructor(hooks: StallDetectorOptions) {
    this.#hooks = hooks;
  }

  /** Watches `work` until it settles. */
  async watch<Result>(what: string | WatchedOperation, work: Promise<Result>): Promise<Result> {
    const waiting = typeof what === 'string' ? { description: () => what } : what;
    const timer = setInterval(this.#createCheck(waiting), CHECK_EVERY_MS).unref();
    try {
      return await work;
    } finally {
      clearInterval(timer);
      this.#clear(waiting);
    }
  }

  #createCheck(waiting: WatchedOperation): () => void {
    const { description, progress = () => 0 } = waiting;
    const { timeoutSeconds, signal, onStall } = this.#hooks;
    let last = progress();
    let since = performance.now();
    const suspension = new SuspensionClock(CHECK_EVERY_MS);
    let wasAborted = signal.aborted;
    return () => {
      const now = performance.now();
      const isAborted = signal.aborted;
      const current = progress();
      // Time in which gobonnie was suspended is no stall.
      since += suspension.takeSuspendedMs();
      if (current !== last || isAborted !== wasAborted) {
        last = current;
        wasAborted = isAborted;
        since = now;
        this.#clear(waiting);
      }
      const seconds = (now - since) / MS_PER_SECOND;
      const limitSeconds = isAborted ? ABORT_TIMEOUT_SECONDS : timeoutSeconds;
      if (this.#reported || limitSeconds === 0 || seconds < limitSeconds) return;
      this.#reported = waiting;
      onStall({ waitingFor: description(), seconds: Math.floor(seconds), isAborted });
    };
  }

  #clear(waiting: WatchedOperation): void {
    if (this.#reported === waiting) this.#reported = null;
  }
}
