import { getPhase } from '../../workers/phases/phase-catalogue.js';
import type { Machine } from '../machine/machine-schema.js';
import type { Options } from '../options/options-schema.js';
import { plan, type RunPlan } from '../plan/plan.js';
import { allMeasurements } from '../report/runs.js';
import type { Reference } from '../report/schema/report.js';
import { microsecondsPerCall } from '../report/tool-calls.js';
import type { Watcher } from '../scratch/watcher/watcher.js';
import { execute } from './execute.js';

/** Returns the plan of one run in a reference directory: without commits, which need a device, and without cold caches. */
export function planReference(options: Options, machine: Machine): RunPlan | null {
  const phases = options.phases.filter((name) => {
    const { coldCache, duration } = getPhase(name);
    return !coldCache && duration === undefined;
  });
  const once = { runs: 1, seconds: 0, untilStable: undefined };
  return phases.length === 0 ? null : plan({ ...options, ...once, phases }, machine);
}

/** Measures the reference. Null if that did not complete: the report is complete without it. */
export async function measureReference(
  referencePlan: RunPlan,
  signal: AbortSignal,
  watcher: Watcher,
): Promise<Reference | null> {
  const report = await execute(referencePlan, { signal, skipsCeiling: true, allowCached: true }, watcher);
  if (report.outcome.state !== 'completed') return null;
  const steps = allMeasurements(report).map((measurement) => ({
    step: measurement.step,
    seconds: measurement.seconds,
    perSecond: measurement.operationsPerSecond,
    microsecondsPerCall: microsecondsPerCall(measurement),
  }));
  const { directory, filesystem } = report.target;
  return { directory, filesystem, steps };
}
