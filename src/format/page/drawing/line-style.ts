import type { Attributes } from '../../../text/markup.js';

/**
 * Attributes that distinguish a result: of its lines and of its areas. Each has a class, because the style sheet has
 * another colour for dark screens.
 */
export interface LineStyle {
  readonly stroke: Attributes;
  readonly fill: Attributes;
  readonly dashes: string | undefined;
}

/** Each colour has a contrast of at least 4.5 to 1, light colours on white and dark ones on black. */
const COLORS = [
  { light: '#0550ae', dark: '#79c0ff' },
  { light: '#a0410d', dark: '#f0883e' },
  { light: '#116329', dark: '#56d364' },
  { light: '#8250df', dark: '#d2a8ff' },
  { light: '#7d4e00', dark: '#e3b341' },
  { light: '#99286e', dark: '#ff9bce' },
];
const DASHES = [undefined, '7 3', '2 3', '9 3 2 3', '4 2', '12 4'];

export function lineStyle(index: number): LineStyle {
  const at = index % COLORS.length;
  const { light = '' } = COLORS[at] ?? {};
  return {
    stroke: { stroke: light, class: `side${at}` },
    fill: { fill: light, class: `fill${at}` },
    dashes: DASHES[index % DASHES.length],
  };
}

export const INK = { fill: '#1f2328', class: 'ink' };
export const FAINT_INK = { fill: '#57606a', class: 'faint' };
export const AXIS = { stroke: '#57606a', class: 'axis' };
export const GRID = { stroke: '#d0d7de', class: 'grid' };
export const GREY_AREA = { fill: '#d0d7de', 'fill-opacity': 0.5, class: 'sync' };
export const CAUTION = { stroke: '#bc1c1c', class: 'caution' };
export const CAUTION_AREA = { fill: '#bc1c1c', 'fill-opacity': 0.2, class: 'cautious' };

export const DARK_RULES = [
  ...COLORS.flatMap(({ dark }, at) => [`.side${at}{stroke:${dark}}`, `.fill${at}{fill:${dark}}`]),
  '.ink{fill:#e6edf3}',
  '.faint{fill:#9ea7b3}',
  '.grid{stroke:#30363d}',
  '.axis{stroke:#8b949e}',
  '.caution{stroke:#ff7b72}',
  '.sync{fill:#484f58}',
  '.cautious{fill:#ff7b72}',
].join('');
