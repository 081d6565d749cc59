import { getPhase } from '../../workers/phases/catalogue.js';
import type { Phase } from '../../workers/phases/phase.js';
import { goalOf } from '../plan/phases.js';
import type { Plan } from '../plan/plan.js';
import { stonewallOf } from '../plan/stonewall.js';
import type { Left, RunEvent } from '../report/events/event.js';
import { warningsOfJob } from '../report/measure/host-warnings.js';
import { measurementWarnings } from '../report/measure/warnings.js';
import { circumstancesOf, overAllRuns } from '../report/run-warnings.js';
import type { Measurement, Outcome, Report, Run, Warning } from '../report/schema/report.js';
import { statisticsOfRuns } from '../report/statistics/figures.js';
import { warningKey } from '../report/warning-catalogue.js';
import { BEAT_MS } from '../scratch/job-life.js';
import { Scratch } from '../scratch/scratch.js';
import type { Watcher } from '../scratch/watcher/watcher.js';
import { toGobonnieError } from '../system-error.js';
import { display } from '../text/escape.js';
import { MS_PER_SECOND } from '../text/units.js';
import { PageCache } from './cache/page-cache.js';
import type { ExecuteHooks, RunContext } from './context.js';
import { Crew, type Team } from './crew/crew.js';
import { emptyReport } from './empty-report.js';
import { Stalls } from './kernel/stalls.js';
import { measureMemoryCeiling } from './memory-ceiling.js';
import { ALONE, type Peers } from './peers.js';
import { measurePhase } from './phase.js';
import { overRemoval } from './removal.js';
import { isEnough, spreadWarnings } from './repeat.js';
import { Sites } from './sites.js';
import { refuseLateClaim } from './space.js';

const COMPLETED: Outcome = { state: 'completed' };

/** Carries out a plan. A failure or an abort is an outcome of the report, not an exception. */
export async function execute(plan: Plan, hooks: ExecuteHooks, watcher: Watcher): Promise<Report> {
  const { signal = new AbortController().signal, onEvent = () => {}, beforePhase } = hooks;
  const { measuresCeiling = true, peers = ALONE } = hooks;
  const report: Report = { ...emptyReport(plan), ...(peers.record && { job: peers.record }) };
  const warn = warnOnce(report, onEvent, peers);

  report.outcome = await outcomeOf(async () => {
    if (signal.aborted) return aborted(signal);
    const stalls = new Stalls({
      timeoutSeconds: plan.options.stallTimeout,
      signal,
      onStall: (stall) => onEvent({ type: 'stall', ...stall }),
    });
    const creation = `the creation of a directory in ${display(plan.directory)}`;
    const scratch = await stalls.over(creation, Scratch.create(plan, watcher, peers.record?.id));
    const heart = peers.record && setInterval(() => void scratch.beat().catch(() => {}), BEAT_MS);
    let measured: Outcome;
    let removed: Outcome;
    try {
      report.target.scratchDirectory = scratch.path;
      onEvent({ type: 'start', report: snapshotOf(report) });
      for (const warning of [...plan.warnings, ...scratch.warnings]) warn(warning);
      watcher.onLoss = (warning) => {
        // A report that was handed out must not change.
        if (report.outcome.state === 'running') warn(warning);
      };
      measured = await outcomeOf(async () => {
        await stalls.over(creation, refuseLateClaim(plan, scratch));
        return measureAll({
          ...{ plan, scratch, stalls, signal, onEvent, beforePhase, measuresCeiling, peers, warn, report },
        });
      });
      onEvent({ type: 'activity', activity: 'removing' });
    } finally {
      clearInterval(heart);
      // Also after an exception, for example from a listener.
      const removal = `the removal of ${display(scratch.path)}`;
      const tell = (remaining: Left) => onEvent({ type: 'activity', activity: 'removing', remaining });
      removed = await outcomeOf(async () => {
        await overRemoval(scratch, removal, stalls, () => scratch.remove(), tell);
        return COMPLETED;
      });
    }
    return withCleanUp(measured, removed);
  });
  onEvent({ type: 'end', report });
  return report;
}

/** Repeats the run until there are enough. */
async function measureAll(shared: Omit<RunContext, 'crew' | 'cache' | 'sites'>): Promise<Outcome> {
  const { plan, scratch, stalls, signal, onEvent, peers, report, warn } = shared;
  const cache = new PageCache(plan, warn, stalls);
  onEvent({ type: 'activity', activity: 'preparing' });
  const crew = await peers.done(() => Crew.start(plan));
  const startMs = performance.now();
  const elapsedSeconds = () => (performance.now() - startMs) / MS_PER_SECOND;
  let sites: Sites | null = null;
  try {
    sites = await Sites.find(plan, scratch, peers);
    do {
      const isComplete = !signal.aborted && (await measureRun({ ...shared, sites, crew, cache }));
      if (!isComplete) return aborted(signal);
    } while (!(await peers.agreed(isEnough(report, elapsedSeconds(), plan.options))));
    for (const warning of peers.takeWarnings()) warn(warning);
    for (const warning of spreadWarnings(report, plan.options)) warn(warning);
    return COMPLETED;
  } finally {
    report.cache = cache.record;
    report.warnings = overAllRuns(report);
    await sites?.close();
    await crew.terminate();
  }
}

/** Measures every phase once. False if it was aborted. */
async function measureRun(context: RunContext): Promise<boolean> {
  const { signal, scratch, onEvent, peers, plan, cache, report, warn } = context;
  const run: Run = { startedAt: new Date().toISOString(), state: 'incomplete', measurements: [] };
  report.runs.push(run);
  const number = report.runs.length;
  onEvent({ type: 'run-start', run: number });
  for (const [index, phase] of plan.phases.map(getPhase).entries()) {
    if (phase.access === 'creates') await peers.done(() => renewed(phase, number, context));
    const team = context.sites.team(phase, index);
    const measurement = await peers.measured(
      () => measureOne(phase, team, number, context),
      stonewallOf(phase, plan.options),
    );
    if (!measurement) return false;
    if (phase.access === 'creates') await context.sites.noteMade(phase, measurement, peers);
    // What is beyond the cut is still there.
    if (phase.access === 'deletes' && plan.options.stonewall === undefined) scratch.markDeleted(phase.dataset);
    run.measurements.push(measurement);
    const soFar = report.job && { report: snapshotOf(report) };
    onEvent({ type: 'phase-end', run: number, measurement, ...soFar });
    warnOf(measurement, context);
    for (const warning of peers.takeWarnings()) warn(warning);
  }
  if (number === 1 && context.measuresCeiling) {
    const ceiling = await measureMemoryCeiling(context);
    if (signal.aborted) return false;
    report.memoryCeiling = ceiling;
    for (const measurement of run.measurements) warnOf(measurement, context);
  }
  run.state = 'completed';
  report.cache = cache.record;
  report.statistics = statisticsOfRuns(report.runs);
  report.warnings = overAllRuns(report);
  onEvent({ type: 'run-end', run: number, result: run, report: snapshotOf(report) });
  return true;
}

/** Makes the files or trees that a phase fills, and removes those of the run before. */
async function renewed(
  phase: Phase,
  run: number,
  { scratch, stalls, signal, onEvent }: RunContext,
): Promise<void> {
  if (signal.aborted) return;
  onEvent({ type: 'activity', activity: 'preparing' });
  const creation = `the creation of the files in ${display(scratch.path)}`;
  await overRemoval(scratch, creation, stalls, () => scratch.recreate(phase.dataset, run));
}

/** A phase with what precedes it. Null if it was aborted. */
async function measureOne(
  phase: Phase,
  team: Team,
  run: number,
  context: RunContext,
): Promise<Measurement | null> {
  const { plan, signal, onEvent, beforePhase } = context;
  if (signal.aborted) return null;
  await beforePhase?.(phase.name, run, signal);
  onEvent({ type: 'phase-start', run, phase: phase.name, goal: goalOf(phase, plan) });
  return measurePhase(phase, team, run, context);
}

/** The warnings that it calls for, by what is known by now. */
function warnOf(measurement: Measurement, { report, warn, peers }: RunContext): void {
  const where = circumstancesOf(report, measurement.phase);
  for (const warning of warningsOfJob(measurement, peers.parts, where)) warn(warning);
}

/** The report as it is now. What is complete no longer changes, so copying the lists is enough. */
function snapshotOf(report: Report): Report {
  const runs = report.runs.map((run) =>
    run.state === 'completed' ? run : { ...run, measurements: [...run.measurements] },
  );
  return { ...report, runs, warnings: [...report.warnings] };
}

/** Reports each warning once, even if several runs give it. */
function warnOnce(
  report: Report,
  onEvent: (event: RunEvent) => void,
  peers: Peers,
): (warning: Warning) => void {
  const known = new Set<string>();
  return (warning) => {
    const key = warningKey(warning);
    if (known.has(key)) return;
    known.add(key);
    report.warnings.push(warning);
    onEvent({ type: 'warning', warning });
    // Those about figures are told of the figures of all.
    if (!Object.hasOwn(measurementWarnings, warning.code)) peers.warned(warning);
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
    const known = toGobonnieError(error as Error);
    if (!known) throw error;
    return { state: 'failed', code: known.code, message: known.message, hint: known.hint };
  }
}

/** A failed clean-up is always reported, after what ended the run. */
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
