import type { Comparison } from '../../compare/comparison.js';
import type { MetricWinner } from '../../compare/standings.js';
import { sanitize } from '../../text/escape.js';
import { differenceTexts, comparisonTable } from './comparison.js';
import { describeWinners } from './conclusion.js';
import { type TableStyle, tableFormats } from './table.js';

/** The others compared with the first, and the standings of every figure. */
export type AbComparison = [comparisons: readonly Comparison[], standings: readonly MetricWinner[]];

export function createWinnerFormats(style: Partial<TableStyle> = {}) {
  return tableFormats<AbComparison>(
    {
      table: ([comparisons], style) => comparisonTable(comparisons, style),
      split: ([comparisons, standings]) => comparisons.map((one) => [[one], standings]),
      sentences: ([comparisons, standings]) =>
        [...differenceTexts(comparisons), describeWinners(comparisons, standings)].map(sanitize),
      document: ([comparisons, standings]) => ({ schema: 'gobonnie-ab/1', comparisons, winners: standings }),
    },
    style,
  );
}

export const winnerFormats = createWinnerFormats();
