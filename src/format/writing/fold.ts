import { displayWidth } from './width.js';

const INDENT = '  ';
const GAP = '   ';

/** Wraps a line that is too long for the window, and indents its continuation. */
export function wrapLine(line: string, columns: number): readonly string[] {
  return displayWidth(line) < columns ? [line] : hangingIndent('', line, columns, INDENT);
}

/** Wraps a text after a head. Continuation lines are indented by the width of the head. */
export function hangingIndent(
  head: string,
  text: string,
  columns: number,
  indent = ' '.repeat(displayWidth(head)),
): readonly string[] {
  const lines = wrapWords(text, columns - indent.length);
  return lines.map((line, at) => (at === 0 ? head : indent) + line);
}

/** Puts parts on as few lines as possible. Breaks between parts or, if a part is too long, between words. */
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

/** Puts words on as few lines as possible. Keeps wider gaps within a line, and never breaks `95 %`. */
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
