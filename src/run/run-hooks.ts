import type { RunEvent } from '../report/events/event-record.js';

/** Callbacks of a run. This file is apart from the run's own types, because the types of the library include it. */
export interface RunHooks {
  /** Aborting it ends the run; the report then holds the completed results. */
  readonly signal?: AbortSignal | undefined;
  /** Called synchronously with each event. An error that it throws ends the run, which rejects with that error. */
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
  /** Awaited before each step, also before one that is measured again, to let several processes start it together. */
  readonly beforeStep?: ((step: string, run: number, signal: AbortSignal) => Promise<void>) | undefined;
}
