import type { RunEvent } from '../report/events/event.js';

/** One minute of samples; a late reader wants the newest, and the end of a phase holds its whole result. */
const MOST_SAMPLES = 600;

/**
 * The events of a run, for readers that may be late or slow: each gets all of them from the start. Only the newest
 * samples are kept; the other events take less memory than the report.
 */
export class EventLog {
  /** A Set, since its iterator sees later additions and skips what was deleted. */
  readonly #events = new Set<RunEvent>();
  readonly #samples: RunEvent[] = [];
  readonly #waiting: (() => void)[] = [];
  #newest: RunEvent | undefined;
  #isClosed = false;

  add(event: RunEvent): void {
    this.#events.add(event);
    this.#newest = event;
    if (event.type === 'sample') this.#keep(event);
    this.#wake();
  }

  /** No more events will follow. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  async *read(): AsyncGenerator<RunEvent, void, undefined> {
    const events = this.#events.values();
    let last: RunEvent | undefined;
    for (;;) {
      while (last === this.#newest) {
        if (this.#isClosed) return;
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
      }
      last = events.next().value;
      if (last) yield last;
    }
  }

  /** Keeps a sample, and drops the oldest if there are too many. */
  #keep(sample: RunEvent): void {
    this.#samples.push(sample);
    const oldest = this.#samples.length > MOST_SAMPLES ? this.#samples.shift() : undefined;
    if (oldest) this.#events.delete(oldest);
  }

  #wake(): void {
    for (const go of this.#waiting.splice(0)) go();
  }
}
