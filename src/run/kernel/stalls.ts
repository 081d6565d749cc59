import type { Stall } from '../../report/events/event.js';
import { MS_PER_SECOND } from '../../text/units.js';
import { SuspensionClock } from './suspension.js';

const CHECK_EVERY_MS = 200;
/** After Ctrl-C the user is told sooner what the program waits for. */
const ABORT_PATIENCE_SECONDS = 2;

/** Something that may wait forever, for example for a disk, a server or a FUSE program that is gone. */
export interface Waiting {
  /** What it waits for now, for the message. */
  readonly words: () => string;
  /** While this number changes, nothing is stalled. */
  readonly pulse?: () => number;
}

interface StallHooks {
  /** 0 reports a stall only after an abort. */
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
  readonly onStall: (stall: Stall) => void;
}

/** Reports a stall once, and once more if the run is aborted and still waits. */
export class Stalls {
  readonly #hooks: StallHooks;
  /** The reported stall that still lasts. Anything else that waits has the same cause. */
  #reported: Waiting | null = null;

  constructor(hooks: StallHooks) {
    this.#hooks = hooks;
  }

  /** Watches `work` until it settles. */
  async over<Result>(what: string | Waiting, work: Promise<Result>): Promise<Result> {
    const waiting = typeof what === 'string' ? { words: () => what } : what;
    const timer = setInterval(this.#watch(waiting), CHECK_EVERY_MS).unref();
    try {
      return await work;
    } finally {
      clearInterval(timer);
      this.#forget(waiting);
    }
  }

  #watch(waiting: Waiting): () => void {
    const { words, pulse = () => 0 } = waiting;
    const { timeoutSeconds, signal, onStall } = this.#hooks;
    let last = pulse();
    let since = performance.now();
    const suspension = new SuspensionClock(CHECK_EVERY_MS);
    let wasAborted = signal.aborted;
    return () => {
      const now = performance.now();
      const isAborted = signal.aborted;
      const current = pulse();
      // Time in which gobonnie was suspended is no stall.
      since += suspension.lookMs();
      if (current !== last || isAborted !== wasAborted) {
        last = current;
        wasAborted = isAborted;
        since = now;
        this.#forget(waiting);
      }
      const seconds = (now - since) / MS_PER_SECOND;
      const patienceSeconds = isAborted ? ABORT_PATIENCE_SECONDS : timeoutSeconds;
      if (this.#reported || patienceSeconds === 0 || seconds < patienceSeconds) return;
      this.#reported = waiting;
      onStall({ waitingFor: words(), seconds: Math.floor(seconds), isAborted });
    };
  }

  #forget(waiting: Waiting): void {
    if (this.#reported === waiting) this.#reported = null;
  }
}
