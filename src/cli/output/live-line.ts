import { readFileSync } from 'node:fs';
import { statFields } from '../../scratch/owner.js';

const FRAME_MS = 100;
const DEFAULT_COLUMNS = 80;
const TO_LINE_START = '\r';
const CLEAR_BELOW = '\u001b[J';
/** Text that does not fit is truncated and does not wrap. */
const DISABLE_WRAP = '\u001b[?7l';
const ENABLE_WRAP = '\u001b[?7h';

/** Renders the line, shorter than `columns`. It is empty if there is nothing to show. */
export type LiveText = (columns: number) => string;

/** Whether this process may draw on the screen. */
type DrawPermission = () => boolean;

interface WindowSize {
  readonly columns?: number;
}

type LiveScreen = Pick<NodeJS.WriteStream, 'write'> & WindowSize;

/** Some terminals, such as serial ones, do not report their width, or report 0. */
export function terminalColumns({ columns }: WindowSize): number {
  return columns || DEFAULT_COLUMNS;
}

/**
 * The last line of a terminal, redrawn in place ten times a second. The cursor waits at its start, so that the next frame
 * clears what was typed, and what wrapped when the window became narrower. The cursor is never hidden: a killed process
 * could not show it again.
 */
export class LiveLine {
  readonly #screen: LiveScreen;
  readonly #text: LiveText;
  readonly #mayDraw: DrawPermission;
  readonly #timer: NodeJS.Timeout;
  #isShown = false;
  #isEnded = false;

  constructor(screen: LiveScreen, text: LiveText, mayDraw: DrawPermission) {
    this.#screen = screen;
    this.#text = text;
    this.#mayDraw = mayDraw;
    this.#timer = setInterval(() => this.#write(this.#frame()), FRAME_MS).unref();
  }

  /** Prints text above the line. */
  print(text: string): void {
    this.#write(this.#eraseSequence() + text + this.#frame());
  }

  /** Erases the line, so that others can print in its place, until the next frame. */
  eraseUntilNextFrame(): void {
    if (this.#isEnded) return;
    this.#write(this.#eraseSequence());
    this.#timer.refresh();
  }

  /** Erases the line for good. */
  end(): void {
    this.#isEnded = true;
    clearInterval(this.#timer);
    this.#write(this.#eraseSequence());
  }

  /** In one write, so that nothing flickers. */
  #write(text: string): void {
    if (text !== '') this.#screen.write(text);
  }

  #frame(): string {
    const isVisible = !this.#isEnded && this.#mayDraw();
    const text = isVisible ? this.#text(terminalColumns(this.#screen)) : '';
    if (text === '') return this.#eraseSequence();
    this.#isShown = true;
    return TO_LINE_START + DISABLE_WRAP + text + ENABLE_WRAP + CLEAR_BELOW + TO_LINE_START;
  }

  #eraseSequence(): string {
    if (!this.#isShown) return '';
    this.#isShown = false;
    // In the background, a shell may have written on this line.
    return this.#mayDraw() ? TO_LINE_START + CLEAR_BELOW : '';
  }
}

/** In /proc/PID/stat, counted from the state, the first field after the name. */
const GROUP_FIELD = 2;
const FOREGROUND_FIELD = 5;

/** False if a shell has put this process into the background (`&`, `bg`). */
export function isInForeground(): boolean {
  try {
    return parseForeground(readFileSync('/proc/self/stat', 'latin1'));
  } catch {
    // Only Linux has this file.
    return true;
  }
}

/** The line of /proc/PID/stat: `12830 (sleep) S 12823 12830 12823 34816 12830 …`. Without a terminal the last is -1. */
export function parseForeground(text: string): boolean {
  const fields = statFields(text).map(Number);
  const [group = 0, foreground = 0] = [fields[GROUP_FIELD], fields[FOREGROUND_FIELD]];
  return foreground <= 0 || foreground === group;
}
