import { escapeMarkup, type Markup, tag } from '../writing/markup.js';

/** Position of a plot within its chart, in pixels. */
export interface Area {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Points of a line, in pixels. */
export type Points = readonly (readonly [x: number, y: number])[];

/** A plot of rates over time. Both axes start at 0. */
export interface Plot extends Area {
  readonly lastSeconds: number;
  readonly highest: number;
  /** Unit of the rates, without spaces. */
  readonly unit: string;
}

/** A picture with a description and a table of its values. */
export interface Chart {
  /** Consists of letters, digits and hyphens. */
  readonly id: string;
  readonly title: string;
  /** Heading within its section. Null if it is the only chart there. */
  readonly heading: string | null;
  /** Text alternative; pages also print it above the chart. */
  readonly description: string;
  readonly height: number;
  /** The chart's elements. */
  readonly marks: readonly Markup[];
  /** The plot's position and scales, for the script that shows values. */
  readonly plot?: Plot;
  /** The chart's values, the head first. */
  readonly table: readonly (readonly string[])[];
}

/** The width of every chart. Pages scale charts together with their text. */
export const CHART_WIDTH = 720;

const XMLNS = 'http://www.w3.org/2000/svg';

/** Renders the chart. Colours and sizes are attributes, so it looks the same where styles are forbidden. */
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

/** Rounds to a tenth of a pixel: the eye cannot see more. */
export function roundPixel(value: number): number {
  return Math.round(value * 10) / 10;
}
