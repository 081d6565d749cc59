import { IO_TESTS } from '../../../src/format/compat/bonnie-tests.js';
import type { RunResult } from '../../../src/report/results.js';
import { KIB, MIB } from '../../../src/text/units.js';
import { foreignRunWith, type RunFacts, type ValuesByPhase } from '../../support/data/foreign-runs.js';

/** A rate in KiB/s or seeks per second, and the %CPU. */
export type Pair = readonly [perSecond: number | null, cpuPercent: number | null];

/** The results in Bonnie's columns, from left to right. Null omits a test. */
export function valuesByPhase(...pairs: readonly (Pair | null)[]): ValuesByPhase {
  return Object.fromEntries(
    pairs.flatMap((pair, at) => {
      const phase = IO_TESTS[at];
      if (!pair || !phase) return [];
      const [rate, cpuPercent] = pair;
      return [[phase, { rate: rate !== null && phase !== 'seeks' ? rate * KIB : rate, cpuPercent }]];
    }),
  );
}

/** The run on Garloff's page: `bonnie -s 400`. */
export function bonnieRun(facts: RunFacts = {}): RunResult {
  return foreignRunWith({
    program: { name: 'bonnie', version: '1.4' },
    label: 'gum07.garloff.de',
    sizeBytes: 400 * MIB,
    blockBytes: 16_384,
    seeks: 4000,
    seekThreads: 3,
    values: valuesByPhase(
      [8701, 93.2],
      [26069, 14.6],
      [10337, 12.2],
      [7950, 81.5],
      [23695, 11.2],
      [122.1, 1.5],
    ),
    ...facts,
  });
}
