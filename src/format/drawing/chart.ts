import { escapeMarkup, type Markup, tag } from '../writing/markup.js';

/** Where a plot is within its chart. */
export interface Area {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Points of a line, in pixels. */
export type Points = readonly (readonly [x: number, y: number])[];

/** A plot over time from 0 on, and of rates from 0 on. */
export interface Plot extends Area {
  readonly lastSeconds: number;
  readonly highest: number;
  /** Without spaces. */
  readonly unit: string;
}

/** A picture with what it shows in words and as a table. */
export interface Chart {
  /** Letters, digits and hyphens. */
  readonly id: string;
  readonly title: string;
  /** What it is called below the heading of its section. Null if it is alone there. */
  readonly heading: string | null;
  /** What it shows, for those who do not see it, too. */
  readonly description: string;
  readonly height: number;
  /** Its markup. */
  readonly marks: readonly Markup[];
  /** Where its plot is, and what its ends mean, for a script that shows values. */
  readonly plot?: Plot;
  /** The same as figures, its head first. */
  readonly table: readonly (readonly string[])[];
}

/** The width of all charts. Pages make them smaller or larger, with their text. */
export const CHART_WIDTH = 720;

const XMLNS = 'http://www.w3.org/2000/svg';

/** Colours and sizes are attributes, so it looks the same where styles are forbidden. */
export function renderSvg({ id, title, description, height, marks, plot }: Chart): Markup {
  return tag(
    'svg',
    {
      xmlns: XMLNS,
      viewBox: `0 0 ${CHART_WIDTH} ${height}`,
      width: CHART_WIDTH,
      height,
      role: 'img',
      'aria-labelledby': `${id}-title`,
      'aria-describedby': `${id}-text`,
      'font-family': 'system-ui, sans-serif',
      'font-size': 12,
      class: 'chart',
      'data-plot': plot && plotAttribute(plot),
    },
    tag('title', { id: `${id}-title` }, escapeMarkup(title)),
    tag('desc', { id: `${id}-text` }, escapeMarkup(description)),
    ...marks,
  );
}

function plotAttribute({ left, right, top, bottom, lastSeconds, highest, unit }: Plot): string {
  return [left, right, top, bottom, lastSeconds, highest, unit].join(' ');
}

/** A pixel with one decimal is as much as an eye can see. */
export function roundPixel(value: number): number {
  return Math.round(value * 10) / 10;
}
