import { shuffleSteps } from '../plan/plan-step.js';
import type { Step } from '../plan/steps.js';
import type { Report } from '../report/schema/report.js';
import type { RunContext } from './run-context.js';

/** Yields the steps of a run, one after the other: the results so far decide whether a step is needed. */
export function* stepsOfRun(run: number, { plan, report, isStepNeeded }: RunContext): Iterable<Step> {
  const { layout, options } = plan;
  const steps = plan.steps.filter(({ beside }) => beside === null);
  // Each run of a list has another order, except a first run that finds out which steps are needed.
  const isInOrder = layout === null || (isStepNeeded !== undefined && run === 1);
  for (const step of isInOrder ? steps : shuffleSteps(steps, options.seed, run))
    if (!isStepNeeded || isStepNeeded(step.name, report)) yield repeatFirstRead(step, report);
}

/** Limits a second read to the parts that the first read has completed before its time was over. */
function repeatFirstRead(step: Step, { runs }: Report): Step {
  const first = runs.at(-1)?.measurements.find(({ phase }) => phase === 'first-read');
  if (step.phase.name !== 'second-read' || !first) return step;
  let remainingBytes = first.readBytes;
  const slices = (step.assignments[0]?.slices ?? []).filter(({ lengthBytes }) => {
    remainingBytes -= lengthBytes;
    return remainingBytes >= 0;
  });
  return { ...step, assignments: [{ slices, tree: null }], goal: { ...step.goal, amount: first.readBytes } };
}
