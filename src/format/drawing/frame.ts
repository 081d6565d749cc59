import type { Markup } from '../writing/markup.js';
import type { Area } from './chart.js';
import type { LineStyle } from './line-style.js';
import { legend } from './marks.js';

/** A plot below its legend. */
export interface Frame {
  readonly area: Area;
  /** Total height, including the texts of the axes. */
  readonly height: number;
  /** The legend's elements. */
  readonly marks: readonly Markup[];
}

/** Leaves room for the y axis's texts on the left and half of the x axis's last text on the right. */
const LEFT = 64;
const RIGHT = 704;
const LEGEND_TOP = 14;
const ABOVE = 26;
const BELOW = 40;

export function createFrame(
  names: readonly (readonly [name: string, style: LineStyle])[],
  plotHeight: number,
): Frame {
  const { marks, height } = legend(names, LEFT, LEGEND_TOP);
  const top = (names.length > 0 ? height : 0) + ABOVE;
  const area = { left: LEFT, right: RIGHT, top, bottom: top + plotHeight };
  return { area, height: area.bottom + BELOW, marks };
}
