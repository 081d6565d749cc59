import type { Comparison } from '../../compare/comparison.js';
import type { Standing } from '../../compare/standings.js';
import { harmless } from '../../text/escape.js';
import { type Paint, PLAIN } from '../writing/paint.js';
import { certaintyText, differenceTexts, signed, tableOf } from './comparison.js';
import { tabled } from './table.js';

/** The others compared with the first, and the standings of every figure. */
export type Standings = [comparisons: readonly Comparison[], standings: readonly Standing[]];

export function standingsFormatsIn(paint: Paint) {
  return tabled<Standings>(
    {
      table: ([comparisons], paint) => tableOf(comparisons, paint),
      sentences: ([comparisons, standings], paint) => conclusionsOf(comparisons, standings, paint),
      document: ([comparisons, standings]) => ({ schema: 'gobonnie-ab/1', comparisons, standings }),
    },
    paint,
  );
}

export const standingsFormats = standingsFormatsIn(PLAIN);

function conclusionsOf(
  comparisons: readonly Comparison[],
  standings: readonly Standing[],
  paint: Paint,
): readonly string[] {
  const [first] = comparisons;
  return [
    ...comparisons.flatMap(differenceTexts).map(harmless),
    ...(first ? [certaintyText(first)] : []),
    ...standings.map((one) => (one.winner === null ? String : paint.good)(harmless(standingText(one)))),
  ];
}

function standingText({
  name,
  isOfDisk,
  winner,
  leader,
  next,
  leadPercent,
  intervalPercent,
}: Standing): string {
  if (!isOfDisk) return `${name}: cannot tell, as memory served a part (pass --direct, or --accept-memory)`;
  const lead = leadPercent === null ? '' : ` by ${signed(leadPercent)}`;
  const interval = intervalPercent
    ? ` (${signed(intervalPercent.low)} to ${signed(intervalPercent.high)})`
    : '';
  return winner === null
    ? `${name}: no winner: ${leader} is ahead of ${next}${lead}${interval}, which may be noise; use more --runs`
    : `${name}: ${winner} wins, ahead of ${next}${lead}${interval}`;
}
