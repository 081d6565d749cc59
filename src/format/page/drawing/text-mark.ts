import { escapeMarkup, type Markup, tag } from '../../../text/markup.js';
import { displayWidth, truncateStart } from '../../../text/width.js';
import { roundPixel } from './chart.js';
import { FAINT_INK, INK } from './line-style.js';

/** Maximum widths of letters of 12 px in common system fonts. */
const LETTER_WIDTHS = [
  { letters: /[ijlrtfI.,:;'|!()[\]{}/ -]/, width: 5.2 },
  { letters: /[mwMW@%]/, width: 12 },
  { letters: /[A-Z_&#+=~<>]/, width: 9.4 },
];
const DEFAULT_LETTER_WIDTH = 7.8;
/** Width of a letter that takes two terminal columns. */
const WIDE_LETTER_WIDTH = 14;

type Anchor = 'start' | 'middle' | 'end';

/** Draws a line of text. Draws nothing for an empty text. */
export function textMark(
  x: number,
  y: number,
  text: string,
  anchor: Anchor = 'start',
  isFaint = false,
): Markup {
  if (text === '') return escapeMarkup('');
  return tag(
    'text',
    {
      x: roundPixel(x),
      y: roundPixel(y),
      'text-anchor': anchor === 'start' ? undefined : anchor,
      ...(isFaint ? FAINT_INK : INK),
    },
    escapeMarkup(text),
  );
}

/** Returns an upper bound of the text's width in pixels. */
export function estimateTextPixels(text: string): number {
  return [...text].reduce((sum, letter) => sum + letterPixels(letter), 0);
}

/** Truncates the start of a text that does not fit. */
export function truncateToPixels(text: string, pixels: number): string {
  return truncateStart(text, pixels, estimateTextPixels);
}

function letterPixels(letter: string): number {
  const columns = displayWidth(letter);
  if (columns !== 1) return columns === 0 ? 0 : WIDE_LETTER_WIDTH;
  return LETTER_WIDTHS.find(({ letters }) => letters.test(letter))?.width ?? DEFAULT_LETTER_WIDTH;
}
