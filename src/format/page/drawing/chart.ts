import { escapeMarkup, type Markup, tag } from '../../../text/markup.js';

/** Position of a plot within its chart, in pixels. */
export interface Area {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Points of a line. */
export type Points = readonly (readonly [x: number, y: number])[];

/** A picture with a description and a table of its values. */
export interface Chart {
  /** Text alternative; pages also print it above the chart. */
  readonly description: string;
  /** The chart's values, the head first. */
  readonly table: readonly (readonly string[])[];
  readonly height: number;
  /** The chart's elements. */
  readonly marks: readonly Markup[];
  /** The plot's position and scales, for the script that shows values. */
  readonly plot?: string | undefined;
}

/** The width of every chart. Pages scale charts together with their text. */
export const CHART_WIDTH = 720;

const XMLNS = 'http://www.w3.org/2000/svg';

/** Renders the chart. Its id consists of letters, digits and hyphens. It looks the same where styles are forbidden. */
export function renderSvg(
  { description, height, marks, plot }: Omit<Chart, 'table'>,
  title: string,
  id: string,
): Markup {
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
      'data-plot': plot,
    },
    tag('title', { id: `${id}-title` }, escapeMarkup(title)),
    tag('desc', { id: `${id}-text` }, escapeMarkup(description)),
    ...marks,
  );
}

/** Rounds to a tenth of a pixel: the eye cannot see more. */
export function roundPixel(value: number): number {
  return Math.round(value * 10) / 10;
}
