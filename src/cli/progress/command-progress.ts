import { sanitize } from '../../text/escape.js';
import { MS_PER_SECOND } from '../../text/units.js';
import { formatClock } from './line.js';

/** The progress of runs of a command, for the line below all printed text. */
export class CommandProgress {
  /** Null without a limit. */
  readonly #limitSeconds: number | null;
  /** The number of runs that count, if that is known. */
  readonly #runs: number | null;
  readonly #startMs = performance.now();
  #round = 1;
  #roundStartSeconds = 0;
  #activity = '';

  constructor({ limitSeconds, runs }: { limitSeconds: number | null; runs: number | null }) {
    this.#limitSeconds = limitSeconds;
    this.#runs = runs;
  }

  update(round: number, side: string, activity: string): void {
    if (round > this.#round) this.#roundStartSeconds = this.#elapsedSeconds();
    this.#round = round;
    this.#activity = sanitize(`${side}: ${activity}`);
  }

  /** `run 3, 0:41 left  /dev/shm: npm ci`. */
  format(columns: number): string {
    const number = this.#round - 1;
    const run = number === 0 ? 'first run' : `run ${number}${this.#runs === null ? '' : `/${this.#runs}`}`;
    const leftSeconds = this.#leftSeconds();
    const left = leftSeconds === null ? '' : `, ${formatClock(Math.max(0, Math.ceil(leftSeconds)))} left`;
    return `${run}${left}  ${this.#activity}`.slice(0, columns - 1);
  }

  #leftSeconds(): number | null {
    if (this.#limitSeconds !== null) return this.#limitSeconds - this.#elapsedSeconds();
    const completed = this.#round - 1;
    if (this.#runs === null || completed === 0) return null;
    return (this.#roundStartSeconds / completed) * (this.#runs + 1) - this.#elapsedSeconds();
  }

  #elapsedSeconds(): number {
    return (performance.now() - this.#startMs) / MS_PER_SECOND;
  }
}
