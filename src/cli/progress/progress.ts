import type { RunEvent } from '../../report/events/event.js';
import type { LiveLine } from '../output/live-line.js';
import type { Terminal } from '../output/terminal.js';
import type { TerminalStyle } from '../output/terminal-style.js';
import { progressLine } from './line.js';
import { IDLE, type RunPosition, updateProgress } from './state.js';

/** Shows the progress of a run on a terminal. Events only change the next frame. */
export class Progress {
  readonly #line: LiveLine;
  #state = IDLE;

  constructor(terminal: Terminal, style: TerminalStyle) {
    this.#line = terminal.showLiveLine((columns) =>
      progressLine(this.#state, { ...style, columns }, performance.now()),
    );
  }

  /** Updates the progress. `position` identifies the run if there are several. */
  handle(event: RunEvent, position?: RunPosition): void {
    this.#state = { ...updateProgress(this.#state, event, performance.now()), ...position };
    // Another process may print the results from a pipe on this screen.
    if (event.type === 'end') this.#line.eraseUntilNextFrame();
  }

  hide(): void {
    this.#line.end();
  }
}
