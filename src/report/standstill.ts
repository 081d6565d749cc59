import type { Series } from './measured.js';
import { sum } from './statistics.js';

/** Between two looks at what has been done. */
interface Step {
  readonly seconds: number;
  readonly operations: number;
}

/** Less of it is not told from a machine that was busy. */
export const LEAST_STANDSTILL_SECONDS = 1;
/** Whoever looks may be late for other reasons, a terminal that takes no more, say: then more of the work has gone on. */
const MOST_WORK_SHARE = 0.5;

/**
 * For how long nothing of the program ran, in the time that counts. A disk that does not answer holds up the threads that
 * measure, and not the one that looks at what they have done ten times a second: where that one is late as well, and
 * little was done meanwhile, all of them were stopped.
 */
export function standstillSeconds({ seconds, threads }: Series, countedSeconds: number): number {
  const times = seconds.map((second) => Math.min(second, countedSeconds));
  const done = seconds.map((_, at) => sum(threads.map(({ operations }) => operations[at] ?? 0)));
  const steps = times.map((second, at) => ({
    seconds: second - (times[at - 1] ?? 0),
    operations: (done[at] ?? 0) - (done[at - 1] ?? 0),
  }));
  const late = LEAST_STANDSTILL_SECONDS + 2 * medianOf(steps.map((step) => step.seconds));
  const isLate = (step: Step) => step.seconds >= late;
  const usual = rateOf(steps.filter((step) => !isLate(step)));
  // It was stopped some time after the last look, and went on some time before this one.
  const lost = steps
    .filter((step) => isLate(step) && rateOf([step]) < usual * MOST_WORK_SHARE)
    .map(({ seconds: long, operations }) => long - operations / usual);
  return sum(lost.filter((long) => long >= LEAST_STANDSTILL_SECONDS));
}

function rateOf(steps: readonly Step[]): number {
  const seconds = sum(steps.map((step) => step.seconds));
  return seconds === 0 ? 0 : sum(steps.map(({ operations }) => operations)) / seconds;
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
