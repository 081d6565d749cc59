import type { Stall } from '../../report/events/event.js';
import { MS_PER_SECOND } from '../../text/units.js';
import { SuspensionClock } from './suspension.js';

const LOOK_EVERY_MS = 200;
/** Who wants to leave is told sooner why that takes so long. */
const ABORT_PATIENCE_SECONDS = 2;

/** Something that may wait for the kernel for ever: a disk, a server or a FUSE program that is gone. */
export interface Waiting {
  /** What waits, and on which file, as it is now. */
  readonly words: () => string;
  /** As long as this changes, nothing is stalled. */
  readonly pulse?: () => number;
}

export interface StallHooks {
  /** 0 is never, but for one that is to end. */
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
  readonly onStall: (stall: Stall) => void;
}

/** Sees to it that nothing waits in silence. It says so once, and again when the wait is to end and cannot. */
export class Stalls {
  readonly #hooks: StallHooks;
  /** What was told of, and still waits. Whatever else waits meanwhile does so for the same reason. */
  #told: Waiting | null = null;

  constructor(hooks: StallHooks) {
    this.#hooks = hooks;
  }

  /** Watches over `work` until it has ended. */
  async over<Result>(waiting: Waiting, work: Promise<Result>): Promise<Result> {
    const timer = setInterval(this.#lookout(waiting), LOOK_EVERY_MS).unref();
    try {
      return await work;
    } finally {
      clearInterval(timer);
      this.#forget(waiting);
    }
  }

  #lookout(waiting: Waiting): () => void {
    const { words, pulse = () => 0 } = waiting;
    const { timeoutSeconds, signal, onStall } = this.#hooks;
    let last = pulse();
    let since = performance.now();
    const suspension = new SuspensionClock(LOOK_EVERY_MS);
    let wasAborted = signal.aborted;
    return () => {
      const now = performance.now();
      const isAborted = signal.aborted;
      const current = pulse();
      // For that the kernel is not to blame.
      since += suspension.lookMs();
      if (current !== last || isAborted !== wasAborted) {
        last = current;
        wasAborted = isAborted;
        since = now;
        this.#forget(waiting);
      }
      const seconds = (now - since) / MS_PER_SECOND;
      const patienceSeconds = isAborted ? ABORT_PATIENCE_SECONDS : timeoutSeconds;
      if (this.#told || patienceSeconds === 0 || seconds < patienceSeconds) return;
      this.#told = waiting;
      onStall({ waiting: words(), seconds: Math.floor(seconds), isAborted });
    };
  }

  #forget(waiting: Waiting): void {
    if (this.#told === waiting) this.#told = null;
  }
}
