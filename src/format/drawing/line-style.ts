/** Colour and dashes that distinguish a result's lines. */
export interface LineStyle {
  readonly color: string;
  readonly dashes: string | undefined;
  /** Class for the style sheet, which has another colour for dark screens. */
  readonly className: string;
  readonly fillClassName: string;
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
  const { light: color = '' } = COLORS[index % COLORS.length] ?? {};
  return { color, dashes: DASHES[index % DASHES.length], ...cssClasses(index % COLORS.length) };
}

function cssClasses(color: number) {
  return { className: `side${color}`, fillClassName: `fill${color}` };
}

export const INK = '#1f2328';
export const FAINT_INK = '#57606a';
export const GRID = '#d0d7de';
export const CAUTION = '#bc1c1c';

/** Style rules for dark screens. */
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
