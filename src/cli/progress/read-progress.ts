import { MS_PER_SECOND } from '../../text/units.js';
import type { Terminal } from '../output/terminal.js';
import type { TerminalStyle } from '../output/terminal-style.js';
import { addProgress, EMPTY_HISTORY } from './history.js';
import { Progress } from './progress.js';
import { IDLE, type PhaseProgress } from './state.js';

const SAMPLE_MS = 100;

/** Shows the progress of a disk read on a terminal. `add` is cheap, because a timer samples the bytes. */
export class ReadProgress {
  readonly #progress: Progress;
  readonly #timer: NodeJS.Timeout;
  readonly #startMs = performance.now();
  #phase: PhaseProgress;
  #bytes = 0;

  constructor(terminal: Terminal, style: TerminalStyle, totalBytes: number) {
    const goal = { unit: 'bytes', amount: totalBytes } as const;
    this.#phase = { name: 'read', title: 'Reading', primaryRate: 'bytes', goal, history: EMPTY_HISTORY };
    this.#progress = new Progress(terminal, style);
    this.#timer = setInterval(() => this.#sample(), SAMPLE_MS).unref();
  }

  readonly add = (bytes: number): void => {
    this.#bytes += bytes;
  };

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#progress.hide();
  }

  #sample(): void {
    const seconds = (performance.now() - this.#startMs) / MS_PER_SECOND;
    const history = addProgress(this.#phase.history, { seconds, amount: this.#bytes });
    this.#phase = { ...this.#phase, history };
    this.#progress.show({ ...IDLE, phase: this.#phase });
  }
}
