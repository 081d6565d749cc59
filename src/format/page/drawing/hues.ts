import type { Attributes } from '../../../text/markup.js';

/** Each colour has a contrast of at least 4.5 to 1, light colours on white and dark colours on the dark page. */
const HUES = [
  { light: '#b34e08', dark: '#ff9e57' },
  { light: '#0b62d6', dark: '#6cb2ff' },
  { light: '#6d3fd1', dark: '#b79bff' },
  { light: '#14724a', dark: '#6fdca8' },
  { light: '#99286e', dark: '#ff9bce' },
  { light: '#75590a', dark: '#f2c55c' },
];
/** The hues of the phases that most runs have. Other phases share the remaining hues. */
const PHASE_HUES: Readonly<Record<string, number>> = { write: 0, read: 1, iops: 2, random: 2 };
const FIRST_FREE_HUE = 3;
/** Lines of the same hue differ in their dashes. */
export const DASHES = [undefined, '7 3', '2 3', '9 3 2 3', '4 2', '12 4'];

/** Returns the hue of a phase, the same in every chart. `place` is its place in the run. */
export function hueOfPhase(phase: string, place: number): number {
  return PHASE_HUES[phase] ?? FIRST_FREE_HUE + (place % (HUES.length - FIRST_FREE_HUE));
}

/** The attributes look right where styles are forbidden; the class follows the reader's scheme. */
export function strokeOf(hue: number): Attributes {
  return { stroke: HUES[hue]?.light, class: `s${hue}` };
}

export function fillOf(hue: number): Attributes {
  return { fill: HUES[hue]?.light, class: `f${hue}` };
}

export const INK = { fill: '#15191f', class: 'ink' };
export const DIM = { fill: '#5b6572', class: 'dim' };
export const GRID = { stroke: '#e3e7ec', class: 'grid' };
export const AXIS = { stroke: '#5b6572', class: 'axis' };

const colorsOf = (scheme: 'light' | 'dark') => HUES.map((hue, at) => `--c${at}:${hue[scheme]}`).join(';');

/** The rules of pages and of pictures. */
export const COLOR_RULES = [
  `:root{color-scheme:light dark;--bg:#fbfcfd;--card:#fff;--ink:#15191f;--dim:#5b6572;--line:#e3e7ec;--ok:#14724a;--okbg:#e4f5ec;--warn:#805300;--warnbg:#fff5dc;--bad:#b42318;${colorsOf('light')}}`,
  `@media(prefers-color-scheme:dark){:root{--bg:#0e1116;--card:#161b22;--ink:#e8edf3;--dim:#98a3b1;--line:#2a323c;--ok:#6fdca8;--okbg:#12301f;--warn:#f2c55c;--warnbg:#2e2511;--bad:#ff8a7a;${colorsOf('dark')}}}`,
  ...HUES.map((_, at) => `.s${at}{stroke:var(--c${at})}.f${at}{fill:var(--c${at});color:var(--c${at})}`),
  '.ink{fill:var(--ink)}.dim{fill:var(--dim);color:var(--dim)}.grid{stroke:var(--line)}.axis{stroke:var(--dim)}',
  '.box{fill:var(--card);stroke:var(--line)}',
].join('');
