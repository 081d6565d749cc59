import { stripVTControlCharacters } from 'node:util';
import { type Screen, transliterate } from '../../format/human/screen.js';
import { resampleRates, sparkline } from '../../format/human/sparkline.js';
import { displayWidth } from '../../text/width.js';
import { completedShare, type LinePiece, linePieces } from './pieces.js';
import type { PhaseProgress, ProgressState } from './state.js';

const NON_ASCII = /[^ -~]/gu;
const GAP = '  ';
const BAR_CELLS = 20;

/** Returns a line that fits the screen, without a line end. Empty if there is nothing to show. */
export function progressLine(state: ProgressState, screen: Screen, nowMs: number): string {
  const pieces = linePieces(state, nowMs).map((piece) => renderPiece(piece, screen));
  // The last column remains empty, because some terminals wrap after it.
  const width = Math.max(0, screen.columns - 1);
  while (pieces.length > 1 && displayWidth(pieces.join(GAP)) > width) pieces.pop();
  const line = pieces.join(GAP);
  return displayWidth(line) <= width ? line : stripVTControlCharacters(line).slice(0, width);
}

function renderPiece(piece: LinePiece, screen: Screen): string {
  if ('bar' in piece) return renderBar(piece.bar, screen);
  const text = toPrintable(piece.text, screen);
  return piece.isFaint ? screen.paint.faint(text) : text;
}

/** Replaces characters that the terminal cannot show. */
function toPrintable(text: string, screen: Screen): string {
  return screen.unicode ? text : transliterate(text, screen).replace(NON_ASCII, '?');
}

/** Returns a progress bar whose completed part is a sparkline of the rates. */
function renderBar(phase: PhaseProgress, { unicode, paint }: Screen): string {
  const done = Math.max(1, Math.round(completedShare(phase) * BAR_CELLS));
  const remaining = (unicode ? '·' : '.').repeat(BAR_CELLS - done);
  return paint.accent(sparkline(resampleRates(phase.history, done), unicode)) + paint.faint(remaining);
}
