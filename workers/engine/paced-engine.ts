import { readClockNs } from '../latency-recorder.js';
import type { PhaseContext } from '../phases/phase.js';
import { LIMIT, PAUSED_SECONDS, RECENT_OPERATIONS, RECORDED_OPERATIONS } from '../protocol.js';
import { type Engine, makeCall, type Request, type RequestSource } from './engine.js';

const MS_PER_SECOND = 1000;

/** The shared memory in which a worker waits and reports. */
type PaceWords = Pick<PhaseContext, 'flags' | 'progress' | 'recent'>;

/** An operation that its source has started at this time. */
interface TimedRequest extends Request {
  readonly startNs: number;
}

/** Makes one operation at a time, with blocking calls, and starts them at an interval. Records when each one started. */
export class PacedEngine<Type extends TimedRequest> implements Engine<Type> {
  readonly #request: Type;
  readonly #intervalMs: number;
  readonly #words: PaceWords;

  constructor(request: Type, intervalMs: number, words: PaceWords) {
    this.#request = request;
    this.#intervalMs = intervalMs;
    this.#words = words;
  }

  run(source: RequestSource<Type>): void {
    const request = this.#request;
    const gateNs = readClockNs();
    let dueMs = performance.now();
    for (;;) {
      const limit = Atomics.load(this.#words.flags, LIMIT);
      if (!source.next(request)) return;
      let endNs: number;
      do {
        makeCall(request);
        endNs = readClockNs();
      } while (!source.advance(request, endNs));
      this.#record(request.startNs - gateNs, endNs - request.startNs);
      // After an operation that took longer, the next one starts at once, and those that were due do not follow.
      dueMs = Math.max(dueMs + this.#intervalMs, performance.now());
      this.#waitUntil(dueMs, limit);
    }
  }

  close(): void {}

  #record(startNs: number, durationNs: number): void {
    const { progress, recent } = this.#words;
    const count = progress[RECORDED_OPERATIONS] ?? 0;
    const at = 2 * (count % RECENT_OPERATIONS);
    recent[at] = startNs;
    recent[at + 1] = durationNs;
    progress[RECORDED_OPERATIONS] = count + 1;
  }

  /** Returns early if the main thread changes the limit, or has changed it during the operation. */
  #waitUntil(dueMs: number, limit: number): void {
    const { flags, progress } = this.#words;
    let leftMs = dueMs - performance.now();
    while (leftMs > 0 && Atomics.wait(flags, LIMIT, limit, Math.min(leftMs, MS_PER_SECOND)) === 'timed-out') {
      leftMs = dueMs - performance.now();
      if (leftMs > 0) progress[PAUSED_SECONDS] = (progress[PAUSED_SECONDS] ?? 0) + 1;
    }
  }
}
