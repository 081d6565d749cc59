import type { RunEvent } from '../report/events/event.js';

/** One minute of samples. A late reader needs only the newest, because the end of a phase has its whole result. */
const MAX_SAMPLES = 600;

/**
 * The events of a run, for readers that may be late or slow: each reader gets every event from the start. Drops all but
 * the newest samples; the other events take less memory than the report.
 */
export class EventLog {
  /** A Set, because its iterator includes later additions and skips deleted events. */
  readonly #events = new Set<RunEvent>();
  readonly #samples: RunEvent[] = [];
  readonly #waiters: (() => void)[] = [];
  #newest: RunEvent | undefined;
  #isClosed = false;

  add(event: RunEvent): void {
    this.#events.add(event);
    this.#newest = event;
    if (event.type === 'sample') this.#keepSample(event);
    this.#wakeReaders();
  }

  /** No more events will follow. */
  close(): void {
    this.#isClosed = true;
    this.#wakeReaders();
  }

  async *read(): AsyncGenerator<RunEvent, void, undefined> {
    const events = this.#events.values();
    let last: RunEvent | undefined;
    for (;;) {
      while (last === this.#newest) {
        if (this.#isClosed) return;
        await new Promise<void>((resolve) => this.#waiters.push(resolve));
      }
      last = events.next().value;
      if (last) yield last;
    }
  }

  /** Keeps a sample, and drops the oldest sample above the limit. */
  #keepSample(sample: RunEvent): void {
    this.#samples.push(sample);
    const oldest = this.#samples.length > MAX_SAMPLES ? this.#samples.shift() : undefined;
    if (oldest) this.#events.delete(oldest);
  }

  #wakeReaders(): void {
    for (const resume of this.#waiters.splice(0)) resume();
  }
}
