import type { Paint } from '../../format/writing/paint.js';
import { widthOf } from '../../format/writing/width.js';
import { ratesOf } from './pace.js';
import { type Parts, partsOf, shareOf } from './parts.js';
import { columnAhead, sparkline } from './sparkline.js';
import type { PhaseProgress, ProgressState } from './state.js';

/** What the line is shown on. */
export interface View {
  readonly columns: number;
  readonly unicode: boolean;
  readonly paint: Paint;
}

type Place = keyof Parts | 'sparkline';

/** What is told of a phase, and how it gives way to a narrower window: the first that fits is taken. */
const OF_A_PHASE: readonly (readonly Place[])[] = [
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

const OF_A_CHORE: readonly (readonly Place[])[] = [
  ['subject', 'run', 'title', 'chore', 'since'],
  ['subject', 'title', 'chore', 'since'],
  ['subject', 'name', 'chore', 'since'],
  ['title', 'chore', 'since'],
  ['name', 'chore', 'since'],
  ['chore', 'since'],
  ['chore'],
];

/** What is not looked at all the time. */
const FAINT: readonly Place[] = ['run', 'amount', 'left', 'since'];

const BEYOND_ASCII = /[^ -~]/gu;
const GAP = '  ';
/** Of the picture: with less it would show nothing, and with more no more. */
const LEAST_CELLS = 5;
const MOST_CELLS = 20;

/** One line that fits, without its end; empty where there is nothing to say. */
export function progressLine(state: ProgressState, view: View, nowMs: number): string {
  if (!state.phase && !state.chore) return '';
  const parts = partsOf(state, nowMs);
  // The last column stays empty: what is written there may go on in the next line.
  const room = view.columns - 1;
  const layouts = (state.chore ? OF_A_CHORE : OF_A_PHASE).map((places) =>
    places.filter((place) => place === 'sparkline' || parts[place] !== undefined),
  );
  const places = layouts.find((one) => widthAt(one, parts) <= room);
  if (!places) return (parts.percent ?? parts.chore ?? '').trim().slice(0, Math.max(0, room));
  const cells = Math.min(MOST_CELLS, LEAST_CELLS + room - widthAt(places, parts));
  return places
    .map((place) => (place === 'sparkline' ? picture(state.phase, cells, view) : painted(place, parts, view)))
    .join(GAP);
}

function widthAt(places: readonly Place[], parts: Parts): number {
  const widths = places.map((place) => (place === 'sparkline' ? LEAST_CELLS : widthOf(parts[place] ?? '')));
  return widths.reduce((sum, width) => sum + GAP.length + width, -GAP.length);
}

function painted(place: keyof Parts, parts: Parts, { paint, unicode }: View): string {
  const text = unicode ? (parts[place] ?? '') : (parts[place] ?? '').replace(BEYOND_ASCII, '?');
  return FAINT.includes(place) ? paint.faint(text) : text;
}

/** The phase from its start to its goal: as much of it as is done shows how fast that was. */
function picture(phase: PhaseProgress | null, cells: number, { unicode, paint }: View): string {
  if (!phase) return '';
  const done = Math.max(1, Math.round(shareOf(phase) * cells));
  const ahead = columnAhead(unicode).repeat(cells - done);
  return paint.accent(sparkline(ratesOf(phase.pace, done), unicode)) + paint.faint(ahead);
}
