import { readFileSync } from 'node:fs';
import { statFields } from '../../text/process-stat.js';

const FRAME_MS = 200;
const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;
const TO_LINE_START = '\r';
const CLEAR_BELOW = '\u001b[J';
const CLEAR_TO_LINE_END = '\u001b[K';
/** Without wrapping, the terminal truncates text that does not fit. */
const DISABLE_WRAP = '\u001b[?7l';
const ENABLE_WRAP = '\u001b[?7h';

/** Renders one or more lines, each shorter than `columns`. Returns an empty string if there is nothing to show. */
export type LiveText = (columns: number) => string;

type LiveScreen = Pick<NodeJS.WriteStream, 'write' | 'columns'> & Partial<Pick<NodeJS.WriteStream, 'rows'>>;

/** Returns a default for terminals that report no width or 0, for example serial terminals. */
export function terminalColumns({ columns }: { readonly columns?: number }): number {
  return columns || DEFAULT_COLUMNS;
}

export type LiveLine = ReturnType<typeof createLiveLine>;

/**
 * Shows a text as the last lines of a terminal, redrawn in place five times a second while it changes. The cursor waits at
 * their start, so the next frame clears typed text, and text that wrapped in a narrowed window. The cursor is never hidden, because a
 * killed process could not show it again.
 */
export function createLiveLine(screen: LiveScreen, text: LiveText, mayDraw = isInForeground) {
  let shownText = '';
  let isEnded = false;

  const eraseSequence = () => {
    if (shownText === '') return '';
    shownText = '';
    // A background process must not erase the line, because the shell may have written on it.
    return mayDraw() ? TO_LINE_START + CLEAR_BELOW : '';
  };

  const currentText = () => (isEnded ? '' : text(terminalColumns(screen)));

  const frame = (current: string) => {
    if (current === '' || !mayDraw()) return eraseSequence();
    shownText = current;
    // Lines that scroll out of the window could not be reached again.
    const lines = current.split('\n').slice(1 - (screen.rows || DEFAULT_ROWS));
    const upwards = lines.length > 1 ? `\u001b[${lines.length - 1}A` : '';
    const shown = lines.join(`${CLEAR_TO_LINE_END}\n`);
    return TO_LINE_START + DISABLE_WRAP + shown + ENABLE_WRAP + CLEAR_BELOW + TO_LINE_START + upwards;
  };

  /** Uses a single write to avoid flicker. */
  const write = (output: string) => {
    if (output !== '') screen.write(output);
  };

  const timer = setInterval(() => {
    const current = currentText();
    if (current !== shownText) write(frame(current));
  }, FRAME_MS).unref();

  return {
    print: (output: string) => write(eraseSequence() + output + frame(currentText())),
    /** Erases the line until the next frame, to let another program print in its place. */
    eraseUntilNextFrame() {
      if (isEnded) return;
      write(eraseSequence());
      timer.refresh();
    },
    /** Erases the line for good. */
    end() {
      isEnded = true;
      clearInterval(timer);
      write(eraseSequence());
    },
  };
}

/** False if the shell runs this process in the background (`&`, `bg`). */
function isInForeground(): boolean {
  try {
    return parseForeground(readFileSync('/proc/self/stat', 'latin1'));
  } catch {
    // Only Linux has this file.
    return true;
  }
}

/** Parses /proc/PID/stat: `12830 (sleep) S 12823 12830 12823 34816 12830 …`, or -1 at the end without a terminal. */
export function parseForeground(text: string): boolean {
  const [_state, _parent, group = 0, _session, _terminal, foreground = 0] = statFields(text).map(Number);
  return foreground <= 0 || foreground === group;
}
