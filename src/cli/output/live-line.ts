const FRAME_MS = 100;
/** The terminal's columns where it does not tell. */
const USUAL_COLUMNS = 80;
const TO_LINE_START = '\r';
const CLEAR_BELOW = '\u001b[J';
/** What does not fit is cut off, instead of going on in the next line. */
const CUT_OFF = '\u001b[?7l';
const WRAP = '\u001b[?7h';

/** What the line says, in less than so many columns. Empty where there is to be none. */
export type LiveText = (columns: number) => string;

/** Whether the screen is ours to draw on. */
type Ownership = () => boolean;

type Screen = Pick<NodeJS.WriteStream, 'write'> & { readonly columns?: number };

/**
 * The last line of a terminal, drawn anew ten times a second, each time over the one before. The cursor waits at its
 * start, so that the next frame takes with it what was typed meanwhile, and what a window has wrapped that became
 * narrower, of which a program hears some time later. It is never hidden, so that no death of the process can leave it so.
 */
export class LiveLine {
  readonly #screen: Screen;
  readonly #text: LiveText;
  readonly #isOurs: Ownership;
  readonly #timer: NodeJS.Timeout;
  #isShown = false;
  #isOver = false;

  constructor(screen: Screen, text: LiveText, isOurs: Ownership) {
    this.#screen = screen;
    this.#text = text;
    this.#isOurs = isOurs;
    this.#timer = setInterval(() => this.#write(this.#frame()), FRAME_MS).unref();
  }

  /** Prints something above it. */
  print(text: string): void {
    this.#write(this.#erasure() + text + this.#frame());
  }

  /** Makes room: what others print next comes in its place. It is back after a while. */
  giveWay(): void {
    if (this.#isOver) return;
    this.#write(this.#erasure());
    this.#timer.refresh();
  }

  /** For good; what is printed above it from then on is printed as anything is. */
  end(): void {
    this.#isOver = true;
    clearInterval(this.#timer);
    this.#write(this.#erasure());
  }

  /** In one piece, so that nothing flickers. */
  #write(text: string): void {
    if (text !== '') this.#screen.write(text);
  }

  #frame(): string {
    const isWanted = !this.#isOver && this.#isOurs();
    const text = isWanted ? this.#text(this.#screen.columns || USUAL_COLUMNS) : '';
    if (text === '') return this.#erasure();
    this.#isShown = true;
    return TO_LINE_START + CUT_OFF + text + WRAP + CLEAR_BELOW + TO_LINE_START;
  }

  #erasure(): string {
    if (!this.#isShown) return '';
    this.#isShown = false;
    // What is there by now may be a shell's.
    return this.#isOurs() ? TO_LINE_START + CLEAR_BELOW : '';
  }
}
