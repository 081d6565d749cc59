import { type Screen, transliterate } from '../../format/writing/screen.js';
import { sparkline } from '../../format/writing/sparkline.js';
import { displayWidth } from '../../format/writing/width.js';
import { ratesSoFar } from './history.js';
import { completedShare, type LineParts, lineParts } from './parts.js';
import type { PhaseProgress, ProgressState } from './state.js';

type Piece = keyof LineParts | 'sparkline';
type Layout = readonly Piece[];

/** Layouts for a phase, widest first: the line uses the first layout that fits. */
const PHASE_LAYOUTS: readonly Layout[] = [
  ['directory', 'run', 'title', 'percent', 'amount', 'rate', 'sparkline', 'remaining'],
  ['directory', 'run', 'title', 'percent', 'rate', 'sparkline', 'remaining'],
  ['directory', 'run', 'title', 'percent', 'rate', 'remaining'],
  ['directory', 'title', 'percent', 'rate', 'remaining'],
  ['directory', 'name', 'percent', 'rate', 'remaining'],
  ['title', 'percent', 'rate', 'remaining'],
  ['name', 'percent', 'rate', 'remaining'],
  ['title', 'percent', 'rate'],
  ['name', 'percent', 'rate'],
  ['title', 'percent'],
  ['name', 'percent'],
  ['percent'],
];

const ACTIVITY_LAYOUTS: readonly Layout[] = [
  ['directory', 'run', 'title', 'activity', 'elapsed'],
  ['directory', 'title', 'activity', 'elapsed'],
  ['directory', 'name', 'activity', 'elapsed'],
  ['title', 'activity', 'elapsed'],
  ['name', 'activity', 'elapsed'],
  ['activity', 'elapsed'],
  ['activity'],
];

/** Pieces to dim. */
const FAINT_PIECES: readonly Piece[] = ['run', 'amount', 'remaining', 'elapsed'];

const NON_ASCII = /[^ -~]/gu;
const GAP = '  ';
/** Width of the sparkline. */
const MIN_CELLS = 5;
const MAX_CELLS = 20;

/** Returns a line that fits the screen, without a line end. Empty if there is nothing to show. */
export function progressLine(state: ProgressState, screen: Screen, nowMs: number): string {
  if (!state.phase && !state.activity) return '';
  const parts = toPrintable(lineParts(state, nowMs), screen);
  // The last column remains empty, because some terminals wrap after it.
  const width = screen.columns - 1;
  const layouts = (state.activity ? ACTIVITY_LAYOUTS : PHASE_LAYOUTS).map((layout) =>
    layout.filter((piece) => piece === 'sparkline' || parts[piece] !== undefined),
  );
  const layout = layouts.find((one) => minWidth(one, parts) <= width);
  if (!layout) return (parts.percent ?? parts.activity ?? '').trim().slice(0, Math.max(0, width));
  const cells = Math.min(MAX_CELLS, MIN_CELLS + width - minWidth(layout, parts));
  return layout
    .map((piece) =>
      piece === 'sparkline' ? renderBar(state.phase, cells, screen) : paintPiece(piece, parts, screen),
    )
    .join(GAP);
}

function minWidth(layout: Layout, parts: LineParts): number {
  const widths = layout.map((piece) =>
    piece === 'sparkline' ? MIN_CELLS : displayWidth(parts[piece] ?? ''),
  );
  return widths.reduce((sum, width) => sum + GAP.length + width, -GAP.length);
}

/** Replaces characters that the terminal cannot show. */
function toPrintable(parts: LineParts, screen: Screen): LineParts {
  if (screen.unicode) return parts;
  const inAscii = (text: string) => transliterate(text, screen).replace(NON_ASCII, '?');
  return Object.fromEntries(Object.entries(parts).map(([piece, text]) => [piece, inAscii(text)]));
}

function paintPiece(piece: keyof LineParts, parts: LineParts, { paint }: Screen): string {
  const text = parts[piece] ?? '';
  return FAINT_PIECES.includes(piece) ? paint.faint(text) : text;
}

/** Returns a progress bar whose completed part is a sparkline of the rates. */
function renderBar(phase: PhaseProgress | null, cells: number, { unicode, paint }: Screen): string {
  if (!phase) return '';
  const done = Math.max(1, Math.round(completedShare(phase) * cells));
  const remaining = (unicode ? '·' : '.').repeat(cells - done);
  return paint.accent(sparkline(ratesSoFar(phase.history, done), unicode)) + paint.faint(remaining);
}
