import { readable, type Screen } from '../../format/writing/screen.js';
import { sparkline } from '../../format/writing/sparkline.js';
import { widthOf } from '../../format/writing/width.js';
import { ratesOf } from './pace.js';
import { type Parts, partsOf, shareOf } from './parts.js';
import type { PhaseProgress, ProgressState } from './state.js';

type Piece = keyof Parts | 'sparkline';
type Layout = readonly Piece[];

/** What is shown of a phase, widest first: the first layout that fits is used. */
const PHASE_LAYOUTS: readonly Layout[] = [
  ['subject', 'run', 'title', 'percent', 'amount', 'rate', 'sparkline', 'left'],
  ['subject', 'run', 'title', 'percent', 'rate', 'sparkline', 'left'],
  ['subject', 'run', 'title', 'percent', 'rate', 'left'],
  ['subject', 'title', 'percent', 'rate', 'left'],
  ['subject', 'name', 'percent', 'rate', 'left'],
  ['title', 'percent', 'rate', 'left'],
  ['name', 'percent', 'rate', 'left'],
  ['title', 'percent', 'rate'],
  ['name', 'percent', 'rate'],
  ['title', 'percent'],
  ['name', 'percent'],
  ['percent'],
];

const ACTIVITY_LAYOUTS: readonly Layout[] = [
  ['subject', 'run', 'title', 'activity', 'since'],
  ['subject', 'title', 'activity', 'since'],
  ['subject', 'name', 'activity', 'since'],
  ['title', 'activity', 'since'],
  ['name', 'activity', 'since'],
  ['activity', 'since'],
  ['activity'],
];

/** Shown dimmed. */
const FAINT: readonly Piece[] = ['run', 'amount', 'left', 'since'];

const BEYOND_ASCII = /[^ -~]/gu;
const GAP = '  ';
/** The width of the sparkline. */
const LEAST_CELLS = 5;
const MOST_CELLS = 20;

/** One line that fits, without a line end; empty if there is nothing to show. */
export function progressLine(state: ProgressState, screen: Screen, nowMs: number): string {
  if (!state.phase && !state.activity) return '';
  const parts = printable(partsOf(state, nowMs), screen);
  // The last column stays empty: some terminals wrap after it.
  const room = screen.columns - 1;
  const layouts = (state.activity ? ACTIVITY_LAYOUTS : PHASE_LAYOUTS).map((layout) =>
    layout.filter((piece) => piece === 'sparkline' || parts[piece] !== undefined),
  );
  const layout = layouts.find((one) => leastWidth(one, parts) <= room);
  if (!layout) return (parts.percent ?? parts.activity ?? '').trim().slice(0, Math.max(0, room));
  const cells = Math.min(MOST_CELLS, LEAST_CELLS + room - leastWidth(layout, parts));
  return layout
    .map((piece) =>
      piece === 'sparkline' ? picture(state.phase, cells, screen) : painted(piece, parts, screen),
    )
    .join(GAP);
}

function leastWidth(layout: Layout, parts: Parts): number {
  const widths = layout.map((piece) => (piece === 'sparkline' ? LEAST_CELLS : widthOf(parts[piece] ?? '')));
  return widths.reduce((sum, width) => sum + GAP.length + width, -GAP.length);
}

/** What the terminal can show of the texts. */
function printable(parts: Parts, screen: Screen): Parts {
  if (screen.unicode) return parts;
  const inAscii = (text: string) => readable(text, screen).replace(BEYOND_ASCII, '?');
  return Object.fromEntries(Object.entries(parts).map(([piece, text]) => [piece, inAscii(text)]));
}

function painted(piece: keyof Parts, parts: Parts, { paint }: Screen): string {
  const text = parts[piece] ?? '';
  return FAINT.includes(piece) ? paint.faint(text) : text;
}

/** A progress bar whose done part shows how fast it went. */
function picture(phase: PhaseProgress | null, cells: number, { unicode, paint }: Screen): string {
  if (!phase) return '';
  const done = Math.max(1, Math.round(shareOf(phase) * cells));
  const ahead = (unicode ? '·' : '.').repeat(cells - done);
  return paint.accent(sparkline(ratesOf(phase.pace, done), unicode)) + paint.faint(ahead);
}
