import { stripVTControlCharacters } from 'node:util';

/** Characters without width: accents, joiners, direction marks. */
const ZERO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;
export const ELLIPSIS = '...';
const DOUBLE_WIDTH =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u;

/** Returns the columns that a text takes on a terminal. Ignores colours. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const char of stripVTControlCharacters(text)) {
    if (ZERO_WIDTH.test(char)) continue;
    width += DOUBLE_WIDTH.test(char) ? 2 : 1;
  }
  return width;
}

/** Truncates the start of a text that is wider than `maxWidth`, by default in columns. */
export function truncateStart(text: string, maxWidth: number, width = displayWidth): string {
  if (width(text) <= maxWidth) return text;
  const chars = [...text];
  let remaining = maxWidth - width(ELLIPSIS);
  let from = chars.length;
  while (from > 0 && remaining >= width(chars[from - 1] ?? '')) {
    from -= 1;
    remaining -= width(chars[from] ?? '');
  }
  return ELLIPSIS + chars.slice(from).join('');
}

/** Truncates a text to `length` characters, or pads it with spaces. */
export function padOrTruncate(text: string, length: number): string {
  const characters = Array.from(text).slice(0, length);
  return characters.join('') + ' '.repeat(length - characters.length);
}
