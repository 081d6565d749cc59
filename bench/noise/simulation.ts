import { compareSides, findChanges, findWorstVerdict } from '../../src/compare/comparison.js';
import type { ComparisonSide } from '../../src/compare/side.js';
import type { Recording } from './noise.js';

/** How often comparisons of pairs of recordings reported a regression. */
export interface SimulationResult {
  readonly pairs: number;
  /** Unchanged pairs with the verdict regression. */
  readonly falseAlarms: number;
  /** Pairs with all results slowed down and the verdict regression. */
  readonly detected: number;
  /** Pairs with one result slowed down and detected as a regression, by the name of the result. */
  readonly detectedAlone: Readonly<Record<string, number>>;
}

export type Pair = readonly [before: Recording, after: Recording];

/**
 * Pairs each recording with the next one in both directions, then with the next but one, and so on. Pairs recorded
 * shortly after each other come first.
 */
export function pairRecordings(recordings: readonly Recording[]): readonly Pair[] {
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

export function simulate(pairs: readonly Pair[], dropPercent: number): SimulationResult {
  const names = Object.keys(pairs[0]?.[0][0] ?? {});
  const slowFactor = 1 - dropPercent / 100;
  const compareSlowed = ([before, after]: Pair, slower: readonly string[]) =>
    compareSides(
      comparisonSide('before', before),
      comparisonSide('after', slowDown(after, slower, slowFactor)),
    );
  const countPairs = (matches: (pair: Pair) => boolean) => pairs.filter(matches).length;
  return {
    pairs: pairs.length,
    falseAlarms: countPairs((pair) => findWorstVerdict(compareSlowed(pair, [])) === 'regression'),
    detected: countPairs((pair) => findWorstVerdict(compareSlowed(pair, names)) === 'regression'),
    detectedAlone: Object.fromEntries(
      names.map((name) => [
        name,
        countPairs((pair) =>
          findChanges('regression', compareSlowed(pair, [name])).some((change) => change.name === name),
        ),
      ]),
    ),
  };
}

function slowDown(recording: Recording, names: readonly string[], factor: number): Recording {
  return recording.map((run) => ({
    ...run,
    ...Object.fromEntries(names.map((name) => [name, (run[name] ?? 0) * factor])),
  }));
}

function comparisonSide(name: string, recording: Recording): ComparisonSide {
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
        values,
        timed: values,
        isFromDevice: true,
        isOnlyTimed: false,
      };
    }),
  };
}
