import type { Screen } from '../../format/human/screen.js';
import { stepTableLines } from '../../format/human/step-table.js';
import type { RunEvent } from '../../report/events/event-record.js';
import type { Measurement, Report } from '../../report/schema/report.js';
import { MS_PER_SECOND } from '../../text/units.js';
import type { LiveLine } from '../output/live-line.js';
import type { Terminal } from '../output/terminal.js';
import { progressLine } from './line.js';
import { addProgress, EMPTY_HISTORY, IDLE, type RunPosition, updateProgress } from './state.js';

/** Shows the progress of a run on a terminal, and for a list of steps the results so far. Events only change the next frame. */
export class Progress {
  readonly #line: LiveLine;
  #state = IDLE;
  #start: Report | null = null;
  #measurements: readonly Measurement[] = [];

  constructor(terminal: Terminal, initialScreen: Screen) {
    this.#line = terminal.showLiveLine((columns) => {
      const screen = { ...initialScreen, columns };
      const line = progressLine(this.#state, screen, performance.now());
      if (line === '' || !this.#start?.options.steps) return line;
      return [...stepTableLines(this.#start, this.#measurements, screen), line].join('\n');
    });
  }

  /** Updates the progress. `position` identifies the run if there are several. */
  handle(event: RunEvent, position?: RunPosition): void {
    if (event.type === 'start') this.#start = event.report;
    if (event.type === 'step-end') this.#measurements = [...this.#measurements, event.measurement];
    this.#state = { ...updateProgress(this.#state, event, performance.now()), ...position };
    // Another process may print the results from a pipe on this screen.
    if (event.type === 'end') this.#line.eraseUntilNextFrame();
  }

  hide(): void {
    this.#line.end();
  }
}

/** Shows the progress of a disk read on a terminal. Each frame samples the bytes that are read so far. */
export function showReadProgress(
  terminal: Terminal,
  screen: Screen,
  totalBytes: number,
  sampleBytes: () => number,
): LiveLine {
  const goal = { unit: 'bytes', amount: totalBytes } as const;
  const startMs = performance.now();
  let history = EMPTY_HISTORY;
  return terminal.showLiveLine((columns) => {
    const nowMs = performance.now();
    history = addProgress(history, { seconds: (nowMs - startMs) / MS_PER_SECOND, amount: sampleBytes() });
    const phase = { title: 'Reading', primaryRate: 'bytes', goal, history } as const;
    return progressLine({ ...IDLE, phase }, { ...screen, columns }, nowMs);
  });
}
