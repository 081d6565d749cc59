import { changesWith, compareSubjects } from '../../src/compare/comparison.js';
import type { Subject } from '../../src/compare/subject.js';
import type { Noise, Recording } from './noise.js';

/** How often a comparison says what, in so many pairs of recordings of the same. */
export interface Simulated {
  readonly pairs: number;
  /** Nothing had changed, and some figure was called a regression. */
  readonly falseAlarms: number;
  /** A figure was made slower, and was called a regression; by its name. */
  readonly found: Readonly<Record<string, number>>;
}

/** `draw` gives a number from 0 to less than 1. */
export function simulate(
  { recordings }: Noise,
  {
    pairs,
    runs,
    dropPercent,
    draw,
  }: { pairs: number; runs: number; dropPercent: number; draw: () => number },
): Simulated {
  const names = Object.keys(recordings[0]?.[0] ?? {});
  const found = Object.fromEntries(names.map((name) => [name, 0]));
  let falseAlarms = 0;
  for (let pair = 0; pair < pairs; pair++) {
    const [before, after] = twoOf(recordings, draw).map((recording) => recording?.slice(0, runs));
    if (!before || !after) throw new Error('a pair needs two recordings');
    if (regressions(before, after, names).length > 0) falseAlarms++;
    for (const name of names) {
      const slower = after.map((run) => ({ ...run, [name]: (run[name] ?? 0) * (1 - dropPercent / 100) }));
      if (regressions(before, slower, names).includes(name)) found[name] = (found[name] ?? 0) + 1;
    }
  }
  return { pairs, falseAlarms, found };
}

/** At the default of --max-regression. */
function regressions(before: Recording, after: Recording, names: readonly string[]): readonly string[] {
  const comparison = compareSubjects(subjectOf('before', before, names), subjectOf('after', after, names));
  return changesWith('regression', comparison).map(({ name }) => name);
}

function subjectOf(name: string, recording: Recording, names: readonly string[]): Subject {
  return {
    name,
    facts: [],
    samples: names.map((figure) => ({
      name: figure,
      unit: figure === 'iops' ? 'operationsPerSecond' : 'bytesPerSecond',
      better: 'more',
      role: 'judged',
      values: recording.map((run) => run[figure] ?? 0),
    })),
  };
}

/** Two that are not the same. */
function twoOf(recordings: readonly Recording[], draw: () => number): readonly (Recording | undefined)[] {
  const first = Math.floor(draw() * recordings.length);
  const step = 1 + Math.floor(draw() * (recordings.length - 1));
  return [recordings[first], recordings[(first + step) % recordings.length]];
}
