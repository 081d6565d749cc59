import type { Comparison } from '../compare/comparison.js';
import type { Standing } from '../compare/standings.js';
import { certaintyText, signed, tableOf, unlikenessTexts } from './comparison.js';
import { harmless, harmlessJson } from './harmless.js';
import { alignedTable, inMarkdown, markdownTable } from './table.js';

/** Who is better at what: the others beside the first, and the standings in every figure. */
export type StandingsFormat = (comparisons: readonly Comparison[], standings: readonly Standing[]) => string;

/** Every form of them, one row each. */
export const standingsFormats = {
  text: (comparisons, standings) => {
    const lines = [...alignedTable(...tableOf(comparisons)), ...conclusionsOf(comparisons, standings)];
    return `${lines.join('\n')}\n`;
  },
  json: (comparisons, standings) => harmlessJson({ schema: 'gobonnie-ab/1', comparisons, standings }),
  markdown: (comparisons, standings) => {
    const conclusions = conclusionsOf(comparisons, standings).map((line) => `- ${inMarkdown(line)}`);
    return `${[...markdownTable(...tableOf(comparisons)), '', ...conclusions].join('\n')}\n`;
  },
} as const satisfies Readonly<Record<string, StandingsFormat>>;

function conclusionsOf(
  comparisons: readonly Comparison[],
  standings: readonly Standing[],
): readonly string[] {
  const [first] = comparisons;
  return [
    ...comparisons.flatMap(unlikenessTexts),
    ...(first ? [certaintyText(first)] : []),
    ...standings.map(standingText),
  ].map(harmless);
}

function standingText({ name, winner, leader, next, leadPercent, intervalPercent }: Standing): string {
  const lead = leadPercent === null ? '' : ` by ${signed(leadPercent)}`;
  const surely = intervalPercent
    ? ` (${signed(intervalPercent.low)} to ${signed(intervalPercent.high)})`
    : '';
  return winner === null
    ? `${name}: no winner: ${leader} is ahead of ${next}${lead}${surely}, which may be noise`
    : `${name}: ${winner} wins, ahead of ${next}${lead}${surely}`;
}
