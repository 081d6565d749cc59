import { MS_PER_SECOND } from '../../text/units.js';
import type { LiveLine } from '../output/live-line.js';
import type { Terminal } from '../output/terminal.js';
import type { TerminalStyle } from '../output/terminal-style.js';
import { addProgress, EMPTY_HISTORY } from './history.js';
import { progressLine } from './line.js';
import { IDLE } from './state.js';

/** Shows the progress of a disk read on a terminal. `add` is cheap, because each frame samples the bytes. */
export class ReadProgress {
  readonly #line: LiveLine;
  #bytes = 0;

  constructor(terminal: Terminal, style: TerminalStyle, totalBytes: number) {
    const goal = { unit: 'bytes', amount: totalBytes } as const;
    const startMs = performance.now();
    let history = EMPTY_HISTORY;
    this.#line = terminal.showLiveLine((columns) => {
      const nowMs = performance.now();
      history = addProgress(history, { seconds: (nowMs - startMs) / MS_PER_SECOND, amount: this.#bytes });
      const phase = { title: 'Reading', primaryRate: 'bytes', goal, history } as const;
      return progressLine({ ...IDLE, phase }, { ...style, columns }, nowMs);
    });
  }

  readonly add = (bytes: number): void => {
    this.#bytes += bytes;
  };

  [Symbol.dispose](): void {
    this.#line.end();
  }
}
