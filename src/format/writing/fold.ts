import { displayWidth } from './width.js';

const INDENT = '  ';
const GAP = '   ';

/** A line that is too long for the window, continued below itself. */
export function wrapLine(line: string, columns: number): readonly string[] {
  return displayWidth(line) < columns ? [line] : hangingIndent('', line, columns, INDENT);
}

/** A text behind a head, and below it where that ends. */
export function hangingIndent(
  head: string,
  text: string,
  columns: number,
  indent = ' '.repeat(displayWidth(head)),
): readonly string[] {
  const lines = wrapWords(text, columns - indent.length);
  return lines.map((line, at) => (at === 0 ? head : indent) + line);
}

/** Parts on as few lines as fit, broken between parts, or else between words. */
export function wrapParts(parts: readonly string[], columns: number, start = ''): readonly string[] {
  const lines: string[] = [start];
  for (const part of parts) {
    const last = lines.at(-1) ?? '';
    const isEmpty = last.trim() === '';
    const extended = isEmpty ? last + part : last + GAP + part;
    if (displayWidth(extended) < columns) lines[lines.length - 1] = extended;
    else {
      const wrapped = wrapWords(part, columns - INDENT.length).map((line) => INDENT + line);
      if (isEmpty) lines.splice(-1, 1, ...wrapped);
      else lines.push(...wrapped);
    }
  }
  return lines;
}

/** Words on as few lines as fit. Wider gaps within a line stay, and so does `95 %`. */
function wrapWords(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/(?<! ) (?!%)/)) {
    const last = lines.at(-1);
    if (last !== undefined && displayWidth(`${last} ${word}`) < columns)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word.trimStart());
  }
  return lines;
}
