import type { Comparison, MetricWinner } from '../../compare/comparison-schema.js';
import { sanitize } from '../../text/escape.js';
import { type TableStyle, tableFormats } from './aligned-table.js';
import { comparisonTable, differenceTexts } from './comparison-format.js';
import { describeWinners } from './conclusion.js';

/** Each other directory compared with the first, and the winner of each metric. */
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
