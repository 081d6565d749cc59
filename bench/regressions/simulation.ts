import { findChanges, compareSides, findWorstVerdict } from '../../src/compare/comparison.js';
import type { ComparisonSide } from '../../src/compare/subject.js';
import type { Recording } from './noise.js';

/** How often comparisons of pairs of recordings called what a regression. */
export interface Simulated {
  readonly pairs: number;
  /** Nothing was changed, yet the verdict was a regression. */
  readonly falseAlarms: number;
  /** All figures were made slower, and the verdict was a regression. */
  readonly found: number;
  /** One figure was made slower and was called a regression, by the name of the figure. */
  readonly foundAlone: Readonly<Record<string, number>>;
}

export type Pair = readonly [before: Recording, after: Recording];

/**
 * Pairs each recording with the next one in both directions, then with the next but one, and so on: pairs recorded
 * soon after each other come first.
 */
export function pairsOf(recordings: readonly Recording[]): readonly Pair[] {
  return recordings.slice(1).flatMap((_, step) =>
    recordings.flatMap((one, at): readonly Pair[] => {
      const other = recordings[at + step + 1];
      return other
        ? [
            [one, other],
            [other, one],
          ]
        : [];
    }),
  );
}

export function simulate(pairs: readonly Pair[], dropPercent: number): Simulated {
  const names = Object.keys(pairs[0]?.[0][0] ?? {});
  const kept = 1 - dropPercent / 100;
  const compared = ([before, after]: Pair, slower: readonly string[]) =>
    compareSides(subjectOf('before', before), subjectOf('after', slowed(after, slower, kept)));
  const countOf = (holds: (pair: Pair) => boolean) => pairs.filter(holds).length;
  return {
    pairs: pairs.length,
    falseAlarms: countOf((pair) => findWorstVerdict(compared(pair, [])) === 'regression'),
    found: countOf((pair) => findWorstVerdict(compared(pair, names)) === 'regression'),
    foundAlone: Object.fromEntries(
      names.map((name) => [
        name,
        countOf((pair) =>
          findChanges('regression', compared(pair, [name])).some((change) => change.name === name),
        ),
      ]),
    ),
  };
}

function slowed(recording: Recording, names: readonly string[], factor: number): Recording {
  return recording.map((run) => ({
    ...run,
    ...Object.fromEntries(names.map((name) => [name, (run[name] ?? 0) * factor])),
  }));
}

function subjectOf(name: string, recording: Recording): ComparisonSide {
  return {
    name,
    properties: [],
    timedOnlyReason: null,
    samples: Object.keys(recording[0] ?? {}).map((metric) => {
      const values = recording.map((run) => run[metric] ?? 0);
      return {
        name: metric,
        unit: metric === 'iops' ? 'operationsPerSecond' : 'bytesPerSecond',
        better: 'higher',
        role: 'gating',
        ...{ values, timed: values, isFromDevice: true, isOnlyTimed: false },
      };
    }),
  };
}
