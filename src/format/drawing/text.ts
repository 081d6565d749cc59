import { escapedMarkup, type Markup, tag } from '../writing/markup.js';
import { endOf, widthOf } from '../writing/width.js';
import { pixel } from './chart.js';
import { FAINT, INK } from './colours.js';

/** How wide letters of 12 px are at most in the fonts of usual systems. */
const WIDTHS = [
  { letters: /[ijlrtfI.,:;'|!()[\]{}/ -]/, width: 5.2 },
  { letters: /[mwMW@%]/, width: 12 },
  { letters: /[A-Z_&#+=~<>]/, width: 9.4 },
];
const USUAL_WIDTH = 7.8;
/** Of a letter that takes two columns of a terminal. */
const WIDE_WIDTH = 14;

type Anchor = 'start' | 'middle' | 'end';

export function textMark(
  x: number,
  y: number,
  text: string,
  anchor: Anchor = 'start',
  isFaint = false,
): Markup {
  return tag(
    'text',
    {
      ...{ x: pixel(x), y: pixel(y), 'text-anchor': anchor === 'start' ? undefined : anchor },
      ...{ fill: isFaint ? FAINT : INK, class: isFaint ? 'faint' : 'ink' },
    },
    escapedMarkup(text),
  );
}

/** At most, in pixels. */
export function textWidth(text: string): number {
  return [...text].reduce((sum, letter) => sum + letterWidth(letter), 0);
}

/** The end of a text that has no room. */
export function fitting(text: string, pixels: number): string {
  return endOf(text, pixels, textWidth);
}

function letterWidth(letter: string): number {
  const columns = widthOf(letter);
  if (columns !== 1) return columns === 0 ? 0 : WIDE_WIDTH;
  return WIDTHS.find(({ letters }) => letters.test(letter))?.width ?? USUAL_WIDTH;
}
