import { displayWidth } from './width.js';

const INDENT = '  ';
const GAP = '   ';

/** Ends each line with a line feed, and leaves out blanks before it. */
export function toText(lines: readonly string[]): string {
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

/** Breaks lines at `width`, but never within a word, `95 %` or `2 ms`. Keeps line breaks in the text. */
export function wrapText(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => fillLines(splitWords(line), '', '', width + 1))
    .join('\n');
}

/** Wraps a line that is too long for the window, and indents its continuation. */
export function wrapLine(line: string, columns: number): readonly string[] {
  return displayWidth(line) < columns ? [line] : fillLines(splitWords(line), '', INDENT, columns);
}

/** Wraps a text after a head. Continuation lines are indented by the width of the head. */
export function hangingIndent(head: string, text: string, columns: number): readonly string[] {
  return fillLines(splitWords(text), head, ' '.repeat(displayWidth(head)), columns);
}

/** Puts parts on as few lines as possible. Breaks between parts or, if a part is too long, between words. */
export function wrapParts(parts: readonly string[], columns: number, start = ''): readonly string[] {
  const pieces = parts.flatMap((part, at) => {
    const spaced = at === 0 ? part : GAP.slice(1) + part;
    return displayWidth(INDENT + part) < columns ? [spaced] : splitWords(spaced);
  });
  return fillLines(pieces, start, INDENT, columns);
}

/** Keeps wider gaps with the word after them, and never breaks `95 %` or `2 ms`. */
function splitWords(text: string): readonly string[] {
  return text.split(/(?<! ) (?!%|[nµm]?s\b)/);
}

/** Puts pieces on as few lines as possible, a space apart. */
function fillLines(pieces: readonly string[], head: string, indent: string, columns: number) {
  const lines: string[] = [];
  for (const piece of pieces) {
    const last = lines.at(-1);
    if (last !== undefined && displayWidth(`${last} ${piece}`) < columns)
      lines[lines.length - 1] = `${last} ${piece}`;
    else lines.push((last === undefined ? head : indent) + piece.trimStart());
  }
  return lines;
}
