import { widthOf } from './width.js';

const INDENT = '  ';
const GAP = '   ';

/** A line that is too long for the window, continued below itself. */
export function folded(line: string, columns: number): readonly string[] {
  return widthOf(line) < columns ? [line] : hung('', line, columns, INDENT);
}

/** A text behind a head, and below it where that ends. */
export function hung(
  head: string,
  text: string,
  columns: number,
  indent = ' '.repeat(widthOf(head)),
): readonly string[] {
  const lines = filled(text, columns - indent.length);
  return lines.map((line, at) => (at === 0 ? head : indent) + line);
}

/** Parts on as few lines as fit, broken between parts, or else between words. */
export function joined(parts: readonly string[], columns: number, start = ''): readonly string[] {
  const lines: string[] = [start];
  for (const part of parts) {
    const last = lines.at(-1) ?? '';
    const isEmpty = last.trim() === '';
    const longer = isEmpty ? last + part : last + GAP + part;
    if (widthOf(longer) < columns) lines[lines.length - 1] = longer;
    else {
      const more = filled(part, columns - INDENT.length).map((line) => INDENT + line);
      if (isEmpty) lines.splice(-1, 1, ...more);
      else lines.push(...more);
    }
  }
  return lines;
}

/** Words on as few lines as fit. Wider gaps within a line stay, and so does `95 %`. */
function filled(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/(?<! ) (?!%)/)) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(`${last} ${word}`) < columns)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word.trimStart());
  }
  return lines;
}
