import type { Markup } from '../writing/markup.js';
import type { Area } from './chart.js';
import type { Look } from './colours.js';
import { key } from './marks.js';

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
const [KEY_TOP, ABOVE, BELOW] = [14, 26, 40];

export function frame(names: readonly (readonly [name: string, look: Look])[], plotHeight: number): Frame {
  const { marks, height } = key(names, LEFT, KEY_TOP);
  const top = (names.length > 0 ? height : 0) + ABOVE;
  const area = { left: LEFT, right: RIGHT, top, bottom: top + plotHeight };
  return { area, height: area.bottom + BELOW, marks };
}
