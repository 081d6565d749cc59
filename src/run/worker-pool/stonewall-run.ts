import { MS_PER_SECOND } from '../../text/units.js';
import { callAtDeadline, raceDeadline } from './deadline.js';
import type { ProgressTotals } from './sampler.js';

/** The effect of --stonewall on a phase: after `seconds`, slower workers only catch up with the fastest worker. */
export interface Stonewall {
  readonly seconds: number;
  /** Time at which workers that have not caught up are stopped. */
  readonly lastSeconds: number;
  /** Minimum work per worker. */
  readonly leastSteps: number;
  /** Number of operations in a worker's step. */
  readonly operationsPerStep: number;
  /** Returns the most steps that a worker of any rank has taken. */
  maxSteps(steps: number): Promise<number>;
}

/** The work done when the phase was stopped. */
export interface StonewallSnapshot extends ProgressTotals {
  /** True if all workers caught up. */
  readonly isEven: boolean;
}

export interface StonewallControls {
  readonly isBusy: () => boolean;
  readonly totals: () => ProgressTotals;
  readonly maxOperations: () => number;
  /** Maximum number of steps per worker. */
  readonly limitTo: (steps: number) => void;
}

/** Resolves once `finished` has settled. Returns null if the phase ended before --stonewall stopped it. */
export async function runStonewall(
  { seconds, lastSeconds, leastSteps, operationsPerStep, maxSteps }: Stonewall,
  gateNs: bigint,
  finished: Promise<unknown>,
  { isBusy, totals, maxOperations, limitTo }: StonewallControls,
): Promise<StonewallSnapshot | null> {
  let isEven = true;
  const cancelLastDeadline = callAtDeadline(gateNs, lastSeconds * MS_PER_SECOND, () => {
    isEven = false;
    limitTo(leastSteps);
  });
  try {
    await raceDeadline(gateNs, seconds * MS_PER_SECOND, finished);
    const isStopped = isBusy();
    const totalsAtStop = totals();
    const steps = await maxSteps(Math.ceil(maxOperations() / operationsPerStep));
    if (isEven) limitTo(Math.max(steps, leastSteps));
    await Promise.allSettled([finished]);
    return isStopped ? { ...totalsAtStop, isEven } : null;
  } finally {
    cancelLastDeadline();
  }
}
