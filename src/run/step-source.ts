import type { RunPlan } from '../plan/plan.js';
import { shuffleSteps } from '../plan/plan-step.js';
import type { Step } from '../plan/steps.js';
import type { Report, Warning } from '../report/schema/report.js';
import { hasEnoughRuns, spreadWarnings } from './repeat.js';

/** Chooses the next step of a run from the results so far. */
export interface StepSource {
  /** Returns the steps of a run, one after the other: a step may depend on the results so far. */
  stepsOfRun(run: number, report: Report): Iterable<Step>;
  /** Whether no more runs are needed. */
  isComplete(report: Report, elapsedSeconds: number): boolean;
  /** Returns the warnings about all runs together. */
  closingWarnings(report: Report): readonly Warning[];
}

export interface Criteria {
  /** Whether to measure a step, given the results so far. By default, all steps are measured. */
  readonly isStepNeeded?: ((step: string, report: Report) => boolean) | undefined;
  /** Whether more runs would not change a comparison with the report. */
  readonly isDecided?: ((report: Report) => boolean) | undefined;
}

/** Repeats the steps of a plan as its options request. */
export function planSource(plan: RunPlan, { isStepNeeded, isDecided }: Criteria = {}): StepSource {
  const { layout, options } = plan;
  const steps = plan.steps.filter(({ beside }) => beside === null);
  return {
    *stepsOfRun(run, report) {
      // Each run of a list has another order, except a first run that finds out which steps are needed.
      const isInOrder = layout === null || (isStepNeeded !== undefined && run === 1);
      for (const step of isInOrder ? steps : shuffleSteps(steps, options.seed, run))
        if (!isStepNeeded || isStepNeeded(step.name, report)) yield repeatFirstRead(step, report);
    },
    isComplete: (report, elapsedSeconds) =>
      hasEnoughRuns(report.runs, elapsedSeconds, options, () => isDecided?.(report) ?? true),
    closingWarnings: ({ runs }) => spreadWarnings(runs, options),
  };
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

/** For a caller that repeats the runs itself, in turn with those of other plans. */
export function singleRunSource(plan: RunPlan): StepSource {
  return { ...planSource(plan), isComplete: () => true, closingWarnings: () => [] };
}
