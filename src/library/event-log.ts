import type { RunEvent } from '../report/events/event.js';

/** A minute of them: whoever comes late wants the newest, and what a phase came to is in its end, all of it. */
const MOST_SAMPLES = 600;

/**
 * What has happened, for whoever asks, be it late or slowly: each reader is given all of it from the start. Of the
 * samples only the newest are kept, of all else everything, which is less than the report holds of it.
 */
export class EventLog {
  /** Whoever walks along it comes to what is added meanwhile, and not to what is taken out. */
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

  /** Nothing more will come. */
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

  /** In the place of the oldest. */
  #keep(sample: RunEvent): void {
    this.#samples.push(sample);
    const oldest = this.#samples.length > MOST_SAMPLES ? this.#samples.shift() : undefined;
    if (oldest) this.#events.delete(oldest);
  }

  #wake(): void {
    for (const go of this.#waiting.splice(0)) go();
  }
}
