import { MS_PER_SECOND } from '../text/units.js';

/** A round in which every side was measured once. Rounds count from 1. */
interface Round {
  readonly round: number;
  /** Since the start of the first round. */
  readonly elapsedSeconds: number;
}

/**
 * Measures several sides in turn, each once per round, so a disturbance affects all sides alike. Yields after each round;
 * the caller leaves the loop after enough of them. Ends as soon as `measure` returns false.
 */
export async function* measureInTurn<Side>(
  sides: readonly Side[],
  measure: (side: Side, round: number) => Promise<boolean>,
): AsyncGenerator<Round, void, undefined> {
  const startMs = performance.now();
  for (let round = 1; ; round++) {
    // Alternate A B and B A: the second run may find the device warm or throttled.
    for (const side of round % 2 === 1 ? sides : sides.toReversed())
      if (!(await measure(side, round))) return;
    yield { round, elapsedSeconds: (performance.now() - startMs) / MS_PER_SECOND };
  }
}
