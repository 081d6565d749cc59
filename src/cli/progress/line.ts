import { type Screen, transliterate } from '../../format/writing/screen.js';
import { sparkline } from '../../format/writing/sparkline.js';
import { displayWidth } from '../../format/writing/width.js';
import { ratesSoFar } from './history.js';
import { completedShare, type LineParts, lineParts } from './parts.js';
import type { PhaseProgress, ProgressState } from './state.js';

type Piece = keyof LineParts | 'sparkline';
type Layout = readonly Piece[];

/** What is shown of a phase, widest first: the first layout that fits is used. */
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

/** Shown dimmed. */
const FAINT_PIECES: readonly Piece[] = ['run', 'amount', 'remaining', 'elapsed'];

const NON_ASCII = /[^ -~]/gu;
const GAP = '  ';
/** The width of the sparkline. */
const MIN_CELLS = 5;
const MAX_CELLS = 20;

/** One line that fits, without a line end; empty if there is nothing to show. */
export function progressLine(state: ProgressState, screen: Screen, nowMs: number): string {
  if (!state.phase && !state.activity) return '';
  const parts = toPrintable(lineParts(state, nowMs), screen);
  // The last column stays empty: some terminals wrap after it.
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

/** What the terminal can show of the texts. */
function toPrintable(parts: LineParts, screen: Screen): LineParts {
  if (screen.unicode) return parts;
  const inAscii = (text: string) => transliterate(text, screen).replace(NON_ASCII, '?');
  return Object.fromEntries(Object.entries(parts).map(([piece, text]) => [piece, inAscii(text)]));
}

function paintPiece(piece: keyof LineParts, parts: LineParts, { paint }: Screen): string {
  const text = parts[piece] ?? '';
  return FAINT_PIECES.includes(piece) ? paint.faint(text) : text;
}

/** A progress bar whose done part shows how fast it went. */
function renderBar(phase: PhaseProgress | null, cells: number, { unicode, paint }: Screen): string {
  if (!phase) return '';
  const done = Math.max(1, Math.round(completedShare(phase) * cells));
  const remaining = (unicode ? '·' : '.').repeat(cells - done);
  return paint.accent(sparkline(ratesSoFar(phase.history, done), unicode)) + paint.faint(remaining);
}
