import { MS_PER_SECOND } from '../../text/units.js';
import { atDeadline, deadlineOr } from './deadline.js';
import type { Amounts } from './sampler.js';

/** What --stonewall does to a phase: from then on its workers only catch up with the furthest. */
export interface Stonewall {
  readonly seconds: number;
  /** When those that have not caught up are stopped. */
  readonly lastSeconds: number;
  /** So much each worker does in any case. */
  readonly leastSteps: number;
  /** How many operations of a worker are a step. */
  readonly operationsPerStep: number;
  /** In a job the most steps that a worker of any rank has taken. */
  furthest(steps: number): Promise<number>;
}

/** What had been done when the phase was cut. */
export interface Cut extends Amounts {
  /** Whether all caught up. */
  readonly isEven: boolean;
}

export interface CutTools {
  readonly isBusy: () => boolean;
  readonly amounts: () => Amounts;
  readonly mostOperations: () => number;
  /** How many steps each worker takes at most. */
  readonly limitTo: (steps: number) => void;
}

/** Resolves when `ends` has settled; to null if that was before the cut. */
export async function cutAt(
  { seconds, lastSeconds, leastSteps, operationsPerStep, furthest }: Stonewall,
  gateNs: bigint,
  ends: Promise<unknown>,
  { isBusy, amounts, mostOperations, limitTo }: CutTools,
): Promise<Cut | null> {
  let isEven = true;
  const forgetLast = atDeadline(gateNs, lastSeconds * MS_PER_SECOND, () => {
    isEven = false;
    limitTo(leastSteps);
  });
  try {
    await deadlineOr(gateNs, seconds * MS_PER_SECOND, ends);
    const isCut = isBusy();
    const done = amounts();
    const steps = await furthest(Math.ceil(mostOperations() / operationsPerStep));
    if (isEven) limitTo(Math.max(steps, leastSteps));
    await Promise.allSettled([ends]);
    return isCut ? { ...done, isEven } : null;
  } finally {
    forgetLast();
  }
}
