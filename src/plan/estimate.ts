import { getPhase } from '../../workers/phases/phase-catalogue.js';
import { sum } from '../report/statistics/statistics.js';
import type { RunPlan } from './plan.js';
import type { Step } from './steps.js';

type PlannedSteps = Pick<RunPlan, 'layout' | 'steps'>;

const ALL_PERCENT = 100;

/** Returns the bytes that the block tests of these runs write, unless a time limit stops them early. */
export function estimateWrittenBytes(plan: PlannedSteps, runs: number): number {
  return sumSteps(plan, runs, writtenBytes);
}

/** Returns the time for the sequential steps at this speed and for the timed steps, without all other parts of a run. */
export function estimateSeconds(bytesPerSecond: number, plan: PlannedSteps, runs: number): number {
  return sumSteps(plan, runs, ({ goal, ...step }) => {
    if (goal.unit === 'seconds') return goal.amount;
    const passSeconds = isFullPass(step) ? goal.amount / bytesPerSecond : 0;
    return Math.min(passSeconds, goal.timeLimitSeconds ?? Number.POSITIVE_INFINITY);
  });
}

/** The data is laid out once; every run repeats the steps. */
function sumSteps({ layout, steps }: PlannedSteps, runs: number, getAmount: (step: Step) => number): number {
  return (layout ? getAmount(layout) : 0) + runs * sum(steps.map(getAmount));
}

function writtenBytes({ goal, maxOperationsPerWorker, assignments, transfer, ...step }: Step): number {
  if (isFullPass(step)) return getPhase(step.phase).durable ? goal.amount : 0;
  const operations = (maxOperationsPerWorker ?? 0) * assignments.length;
  return (operations * transfer.ioSizeBytes * (ALL_PERCENT - transfer.readPercent)) / ALL_PERCENT;
}

/** True for a step that moves its data once, in blocks. */
function isFullPass({ phase }: Pick<Step, 'phase'>): boolean {
  const { ioUnit, runBy } = getPhase(phase);
  return ioUnit === 'blocks' && runBy === 'threads';
}
