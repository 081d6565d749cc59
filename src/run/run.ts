import { phaseNamed } from '../../workers/phases/catalogue.js';
import { canBeDirect } from '../../workers/phases/phase.js';
import { goalOf } from '../plan/phases.js';
import type { Plan } from '../plan/plan.js';
import type { RunEvent } from '../report/events/event.js';
import { warningsOf } from '../report/measure/warnings.js';
import type { Outcome, Report, Run, Warning } from '../report/schema/report.js';
import { statisticsOfRuns } from '../report/statistics/figures.js';
import { warningKey } from '../report/warning-catalogue.js';
import { Scratch } from '../scratch/scratch.js';
import type { Watcher } from '../scratch/watcher.js';
import { knownError } from '../system-error.js';
import { shown } from '../text/escape.js';
import { MS_PER_SECOND } from '../text/units.js';
import { PageCache } from './cache/page-cache.js';
import { Crew } from './crew/crew.js';
import { emptyReport } from './empty-report.js';
import { Stalls } from './kernel/stalls.js';
import { type Laboratory, measurePhase } from './phase.js';
import { isEnough, unstableWarning } from './repeat.js';

const COMPLETED: Outcome = { state: 'completed' };

/** Who ends a run, and who hears of it. */
export interface RunHooks {
  /** Aborting it ends the run; the report then holds what was complete. */
  readonly signal?: AbortSignal | undefined;
  /** Called at once with all that happens. What it throws ends the run, which rejects with it. */
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
  /** Awaited before each phase, so that several processes can start it together. */
  readonly beforePhase?: ((phase: string, run: number, signal: AbortSignal) => Promise<void>) | undefined;
}

/** Carries a plan out. A fault or an abort on the way is an outcome of the report, not an exception. */
export async function execute(plan: Plan, hooks: RunHooks, watcher: Watcher): Promise<Report> {
  const { signal = new AbortController().signal, onEvent = () => {}, beforePhase } = hooks;
  const report = emptyReport(plan);
  const warn = warnOnce(report, onEvent);

  report.outcome = await outcomeOf(async () => {
    if (signal.aborted) return aborted(signal);
    const stalls = new Stalls({
      timeoutSeconds: plan.options.stallTimeout,
      signal,
      onStall: (stall) => onEvent({ type: 'stall', ...stall }),
    });
    const making = { words: () => `the making of a directory in ${shown(plan.directory)}` };
    const scratch = await stalls.over(making, Scratch.create(plan, watcher));
    let measured: Outcome;
    let removed: Outcome;
    try {
      report.target.scratchDirectory = scratch.path;
      onEvent({ type: 'start', report: snapshotOf(report) });
      for (const warning of plan.warnings) warn(warning);
      for (const warning of scratch.warnings) warn(warning);
      watcher.onLoss = (warning) => {
        // A report that has been given is not changed any more.
        if (report.outcome.state === 'running') warn(warning);
      };
      measured = await outcomeOf(() =>
        measureAll({ plan, scratch, stalls, signal, onEvent, beforePhase, warn, report }),
      );
      onEvent({ type: 'chore', chore: 'removing' });
    } finally {
      // Whatever was thrown, be it by a listener.
      const removal = { words: () => `the removal of ${shown(scratch.path)}` };
      removed = await outcomeOf(() => stalls.over(removal, scratch.remove()).then(() => COMPLETED));
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
  readonly stalls: Stalls;
  readonly signal: AbortSignal;
  readonly onEvent: (event: RunEvent) => void;
  readonly beforePhase: RunHooks['beforePhase'];
  readonly warn: (warning: Warning) => void;
  /** Where the runs are put, the one under way included, so that no fault can lose them. */
  readonly report: Report;
}

/** Run after run, until all that was asked for is done. */
async function measureAll(work: Work): Promise<Outcome> {
  const { plan, scratch, stalls, signal, report, warn } = work;
  const cache = new PageCache(plan, warn, stalls);
  work.onEvent({ type: 'chore', chore: 'preparing' });
  const crew = await Crew.hire(plan, scratch);
  const startMs = performance.now();
  try {
    do {
      const isComplete =
        !signal.aborted &&
        (await measureRun({ plan, scratch, crew, cache, stalls, signal, onEvent: work.onEvent }, work));
      if (!isComplete) return aborted(signal);
    } while (!isEnough(report.runs, (performance.now() - startMs) / MS_PER_SECOND, plan.options));
    const unstable = unstableWarning(report.runs, plan.options);
    if (unstable) warn(unstable);
    return COMPLETED;
  } finally {
    report.cache = cache.record;
    await crew.dismiss();
  }
}

/** Gives whether it came to its end. */
async function measureRun(
  lab: Laboratory,
  { plan, scratch, signal, onEvent, beforePhase, warn, report }: Work,
): Promise<boolean> {
  const run: Run = { startedAt: new Date().toISOString(), state: 'incomplete', measurements: [] };
  report.runs.push(run);
  const number = report.runs.length;
  onEvent({ type: 'run-start', run: number });
  for (const [index, phase] of plan.phases.map(phaseNamed).entries()) {
    const team = (plan.assignments[index] ?? []).map((slices) => slices.map(scratch.located));
    if (signal.aborted) return false;
    if (phase.access === 'creates') {
      onEvent({ type: 'chore', chore: 'preparing' });
      const renewal = { words: () => `the renewal of the files in ${shown(scratch.path)}` };
      await lab.stalls.over(renewal, scratch.renew(phase.dataset, number));
    }
    await beforePhase?.(phase.name, number, signal);
    onEvent({ type: 'phase-start', run: number, phase: phase.name, goal: goalOf(phase, plan) });
    const measurement = await measurePhase(phase, team, number, lab);
    if (!measurement) return false;
    if (phase.access === 'deletes') scratch.forget(phase.dataset);
    run.measurements.push(measurement);
    onEvent({ type: 'phase-end', run: number, measurement });
    const isDirect = plan.transfer.direct && canBeDirect(phase);
    const where = { ...plan.machine.target, moves: phase.moves, isDirect };
    for (const warning of warningsOf(measurement, where)) warn(warning);
  }
  run.state = 'completed';
  report.cache = lab.cache.record;
  report.statistics = statisticsOfRuns(report.runs);
  onEvent({ type: 'run-end', run: number, result: run, report: snapshotOf(report) });
  return true;
}

/** The report as it is now. A complete run is not changed any more, so that a copy of the lists is enough. */
function snapshotOf(report: Report): Report {
  return { ...report, runs: [...report.runs], warnings: [...report.warnings] };
}

/** Every warning once, however many runs bring it. */
function warnOnce(report: Report, onEvent: (event: RunEvent) => void): (warning: Warning) => void {
  const told = new Set<string>();
  return (warning) => {
    const key = warningKey(warning);
    if (told.has(key)) return;
    told.add(key);
    report.warnings.push(warning);
    onEvent({ type: 'warning', warning });
  };
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
      return { ...measured, message, hint: [...new Set([measured.hint, removed.hint])].join('; ') };
    }
    case 'aborted':
      return { ...removed, message: `stopped by ${measured.reason}, and ${removed.message}` };
    default:
      return removed;
  }
}
