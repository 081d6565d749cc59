import type { Comparison } from '../../compare/comparison.js';
import type { MetricWinner } from '../../compare/standings.js';
import { sanitize } from '../../text/escape.js';
import { differenceTexts, tableOf } from './comparison.js';
import { standingsConclusion } from './conclusion.js';
import { type TableStyle, tabled } from './table.js';

/** The others compared with the first, and the standings of every figure. */
export type Standings = [comparisons: readonly Comparison[], standings: readonly MetricWinner[]];

export function standingsFormatsIn(style: Partial<TableStyle> = {}) {
  return tabled<Standings>(
    {
      table: ([comparisons], style) => tableOf(comparisons, style),
      apart: ([comparisons, standings]) => comparisons.map((one) => [[one], standings]),
      sentences: ([comparisons, standings]) =>
        [...differenceTexts(comparisons), standingsConclusion(comparisons, standings)].map(sanitize),
      document: ([comparisons, standings]) => ({ schema: 'gobonnie-ab/1', comparisons, winners: standings }),
    },
    style,
  );
}

export const standingsFormats = standingsFormatsIn();
