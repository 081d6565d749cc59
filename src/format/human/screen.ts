import { type Paint, PLAIN_PAINT } from './paint.js';

/** Capabilities of a terminal. */
export interface Screen {
  readonly columns: number;
  readonly unicode: boolean;
  readonly paint: Paint;
}

/** The layout of formats that no terminal shows. */
export const PLAIN_SCREEN: Screen = { columns: 80, unicode: true, paint: PLAIN_PAINT };

/** Wider plots are no clearer. */
const MAX_PLOT_COLUMNS = 120;

/** Returns the maximum width of a plot. */
export function plotWidth({ columns }: Pick<Screen, 'columns'>): number {
  return Math.min(MAX_PLOT_COLUMNS, columns - 1);
}

/** Replaces characters that a terminal without Unicode lacks. */
export function transliterate(text: string, { unicode }: Pick<Screen, 'unicode'>): string {
  return unicode
    ? text
    : text.replaceAll('µ', 'u').replaceAll('±', '+-').replaceAll('✓', 'ok').replaceAll('✗', 'NO');
}
