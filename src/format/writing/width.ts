import { unpainted } from './paint.js';

/** Takes no column: accents, joiners, direction marks. */
const NARROW = /[\p{Mn}\p{Me}\p{Cf}]/u;
/** Takes two columns. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u;

/** The columns that a text takes on a terminal, without its colours. */
export function widthOf(text: string): number {
  return [...unpainted(text)].reduce((sum, char) => sum + columnsOf(char), 0);
}

/** The end of a text that is wider than `most`, by default in columns. */
export function endOf(text: string, most: number, width: (text: string) => number = widthOf): string {
  if (width(text) <= most) return text;
  const chars = [...text];
  let room = most - width(ELLIPSIS);
  let from = chars.length;
  while (from > 0 && room >= width(chars[from - 1] ?? '')) {
    from -= 1;
    room -= width(chars[from] ?? '');
  }
  return ELLIPSIS + chars.slice(from).join('');
}

/** The first characters of a text; of a surrogate pair both or none. */
export function cut(text: string, length: number): string {
  return Array.from(text).slice(0, length).join('');
}

/** The first characters of a text, or all of them and spaces. */
export function fitted(text: string, length: number): string {
  const characters = Array.from(text).slice(0, length);
  return characters.join('') + ' '.repeat(length - characters.length);
}

const ELLIPSIS = '...';

function columnsOf(char: string): number {
  if (NARROW.test(char)) return 0;
  return WIDE.test(char) ? 2 : 1;
}
