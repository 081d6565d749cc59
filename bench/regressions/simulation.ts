import { changesWith, compareSubjects, verdictOf } from '../../src/compare/comparison.js';
import type { Subject } from '../../src/compare/subject.js';
import type { Recording } from './noise.js';

/** How often a comparison says what, in so many pairs of recordings of the same. */
export interface Simulated {
  readonly pairs: number;
  /** Nothing had changed, and it came to a regression. */
  readonly falseAlarms: number;
  /** All figures were made slower, and it came to one. */
  readonly found: number;
  /** One figure alone was made slower, and was called a regression; by its name. */
  readonly foundAlone: Readonly<Record<string, number>>;
}

export type Pair = readonly [before: Recording, after: Recording];

/**
 * Each recording with the next one, and that with it, then with the next but one, and so on: those come first that were
 * made one soon after the other.
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
    compareSubjects(subjectOf('before', before), subjectOf('after', slowed(after, slower, kept)));
  const countOf = (holds: (pair: Pair) => boolean) => pairs.filter(holds).length;
  return {
    pairs: pairs.length,
    falseAlarms: countOf((pair) => verdictOf(compared(pair, [])) === 'regression'),
    found: countOf((pair) => verdictOf(compared(pair, names)) === 'regression'),
    foundAlone: Object.fromEntries(
      names.map((name) => [
        name,
        countOf((pair) =>
          changesWith('regression', compared(pair, [name])).some((change) => change.name === name),
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

function subjectOf(name: string, recording: Recording): Subject {
  return {
    name,
    facts: [],
    samples: Object.keys(recording[0] ?? {}).map((figure) => ({
      name: figure,
      unit: figure === 'iops' ? 'operationsPerSecond' : 'bytesPerSecond',
      better: 'more',
      role: 'judged',
      values: recording.map((run) => run[figure] ?? 0),
    })),
  };
}
