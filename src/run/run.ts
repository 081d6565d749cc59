import { phaseNamed } from '../../workers/phases/catalogue.js';
import type { Phase } from '../../workers/phases/phase.js';
import { knownError } from '../errors.js';
import type { Plan } from '../plan.js';
import { draft } from '../report/draft.js';
import { merge } from '../report/measurement.js';
import type { Measurement, Outcome, Report, Run, Warning } from '../report/report.js';
import { MS_PER_SECOND } from '../units.js';
import { Crew } from './crew.js';
import type { RunEvent } from './events.js';
import { phaseFailure } from './failure.js';
import { PageCache } from './page-cache.js';
import { Scratch } from './scratch.js';

const COMPLETED: Outcome = { state: 'completed' };

export interface RunHooks {
  /** Aborting it ends the run; the report then holds what was complete. */
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
}

/** Carries a plan out. A fault or an abort on the way is an outcome of the report, not an exception. */
export async function execute(plan: Plan, hooks: RunHooks = {}): Promise<Report> {
  const { signal = new AbortController().signal, onEvent = () => {} } = hooks;
  const report = draft(plan, new Date());
  const warn = (warning: Warning) => {
    report.warnings.push(warning);
    onEvent({ type: 'warning', warning });
  };

  report.outcome = await outcomeOf(async () => {
    if (signal.aborted) return aborted(signal);
    const scratch = await Scratch.create(
      plan.directory,
      plan.slices.map(({ file }) => file),
    );
    let measured: Outcome;
    let removed: Outcome;
    try {
      report.target.scratchDirectory = scratch.path;
      onEvent({ type: 'start', plan, scratchDirectory: scratch.path });
      for (const warning of plan.warnings) warn(warning);
      measured = await outcomeOf(() =>
        measureAll({ plan, scratch, signal, onEvent, warn, runs: report.runs }),
      );
    } finally {
      // Whatever was thrown, be it by a listener.
      removed = await outcomeOf(() => scratch.remove().then(() => COMPLETED));
    }
    return withCleanUp(measured, removed);
  });
  onEvent({ type: 'end', report });
  return report;
}

/** What the steps below share. */
interface Work {
  readonly plan: Plan;
  readonly scratch: Scratch;
  readonly signal: AbortSignal;
  readonly onEvent: (event: RunEvent) => void;
  readonly warn: (warning: Warning) => void;
  /** Where the runs are put, the one under way included, so that no fault can lose them. */
  readonly runs: Run[];
}

/** Run after run, until both the runs and the seconds that were asked for are done. */
async function measureAll(work: Work): Promise<Outcome> {
  const { plan, scratch, signal, onEvent, runs } = work;
  const slices = plan.slices.map((slice) => ({ ...slice, file: scratch.locate(slice.file) }));
  const cache = new PageCache(plan.machine, work.warn);
  const crew = await Crew.hire(plan, slices);
  try {
    const untilMs = performance.now() + plan.options.seconds * MS_PER_SECOND;
    for (let number = 1; number <= plan.options.runs || performance.now() < untilMs; number++) {
      if (signal.aborted) return aborted(signal);
      if (number > 1) await scratch.empty();
      const run: Run = { startedAt: new Date().toISOString(), state: 'incomplete', measurements: [] };
      runs.push(run);
      onEvent({ type: 'run-start', run: number });
      for (const phase of plan.phases.map(phaseNamed)) {
        onEvent({ type: 'phase-start', run: number, phase: phase.name });
        const measurement = await measure(phase, number, crew, cache, work);
        if (!measurement) return aborted(signal);
        run.measurements.push(measurement);
        onEvent({ type: 'phase-end', run: number, measurement });
      }
      run.state = 'completed';
      onEvent({ type: 'run-end', run: number, result: run });
    }
    return COMPLETED;
  } finally {
    await crew.dismiss();
  }
}

/** One phase. Null when it was aborted: an unfinished phase has no figure. */
async function measure(
  phase: Phase,
  run: number,
  crew: Crew,
  cache: PageCache,
  { plan, scratch, signal }: Work,
): Promise<Measurement | null> {
  if (signal.aborted) return null;
  const cold = phase.coldCache ? await cache.keepEmpty(scratch.files, signal) : null;
  try {
    const stop = cold ? AbortSignal.any([signal, cold.fault]) : signal;
    const result = await crew.perform(phase, run, plan.options.iopsDuration, stop);
    // A sync that is still under way may yet fail, and then there is no figure.
    await cold?.stop();
    cold?.fault.throwIfAborted();
    if (result.state === 'failed') throw phaseFailure(phase, result.failures);
    return result.state === 'stopped' ? null : merge(phase, result.tallies, result.gateNs);
  } finally {
    await cold?.stop();
  }
}

function aborted(signal: AbortSignal): Outcome {
  return { state: 'aborted', reason: String(signal.reason) };
}

/** A known error becomes an outcome; a bug stays an exception. */
async function outcomeOf(act: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await act();
  } catch (error) {
    const known = knownError(error as Error);
    if (!known) throw error;
    return { state: 'failed', code: known.code, message: known.message, hint: known.hint };
  }
}

/** What could not be removed is said in any case, after what ended the run before it. */
function withCleanUp(measured: Outcome, removed: Outcome): Outcome {
  if (removed.state !== 'failed') return measured;
  switch (measured.state) {
    case 'failed': {
      const message = `${measured.message}; and ${removed.message}`;
      return { ...measured, message, hint: `${measured.hint}; ${removed.hint}` };
    }
    case 'aborted':
      return { ...removed, message: `stopped by ${measured.reason}, and ${removed.message}` };
    case 'completed':
      return removed;
  }
}
