import type { Markup } from '../writing/markup.js';
import type { Area } from './chart.js';
import type { LineStyle } from './line-style.js';
import { legend } from './marks.js';

/** A plot below its key. */
export interface Frame {
  readonly area: Area;
  /** Of all, with the texts of the axes. */
  readonly height: number;
  /** The key's. */
  readonly marks: readonly Markup[];
}

/** From the texts of one axis to where the last text of the other still has room. */
const [LEFT, RIGHT] = [64, 704];
const [LEGEND_TOP, ABOVE, BELOW] = [14, 26, 40];

export function createFrame(
  names: readonly (readonly [name: string, style: LineStyle])[],
  plotHeight: number,
): Frame {
  const { marks, height } = legend(names, LEFT, LEGEND_TOP);
  const top = (names.length > 0 ? height : 0) + ABOVE;
  const area = { left: LEFT, right: RIGHT, top, bottom: top + plotHeight };
  return { area, height: area.bottom + BELOW, marks };
}
