import type { Paint } from './paint.js';

/** What a terminal can show. */
export interface Screen {
  readonly columns: number;
  readonly unicode: boolean;
  readonly paint: Paint;
}

/** Wider plots are no clearer. */
const MAX_PLOT_COLUMNS = 120;

/** How wide a plot may be. */
export function plotWidth({ columns }: Pick<Screen, 'columns'>): number {
  return Math.min(MAX_PLOT_COLUMNS, columns - 1);
}

/** In ASCII if the terminal has nothing else. */
export function transliterate(text: string, { unicode }: Pick<Screen, 'unicode'>): string {
  return unicode
    ? text
    : text.replaceAll('µ', 'u').replaceAll('±', '+-').replaceAll('✓', 'ok').replaceAll('✗', 'NO');
}
