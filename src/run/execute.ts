import { toDirectStep } from '../plan/direct-step.js';
import type { RunPlan } from '../plan/plan.js';
import type { Step } from '../plan/steps.js';
import { ioSizeWarning } from '../plan/transfer.js';
import type { RunEvent } from '../report/events/event-record.js';
import { isServedByDevice } from '../report/rate.js';
import { allMeasurements, snapshotReport } from '../report/runs.js';
import type { Outcome, Report, Run, Warning } from '../report/schema/report.js';
import { areStable, computeRunStatistics } from '../report/statistics/step-statistics.js';
import { openScratch } from '../scratch/scratch.js';
import type { Watcher } from '../scratch/watcher/watcher.js';
import { toGobonnieError } from '../system-error.js';
import { display } from '../text/escape.js';
import { MS_PER_SECOND } from '../text/units.js';
import { findJobWarnings, mergeRunWarnings } from '../warnings/run-warnings.js';
import { createWarning, warningKey } from '../warnings/warning-catalogue.js';
import { PageCache, whyCacheIsKept } from './cache/page-cache.js';
import { emptyReport } from './empty-report.js';
import { findFileLocations } from './file-locations.js';
import { StallDetector } from './kernel/stall-detector.js';
import { measureStep } from './measure-step.js';
import { measureMemoryCeiling, raiseCeilings } from './memory-ceiling.js';
import type { JointMeasurement } from './peer-group.js';
import { isEnough, spreadWarnings } from './repeat.js';
import type { ExecuteHooks, RunContext } from './run-context.js';
import { stepsOfRun } from './run-steps.js';
import { makeIoMemory } from './worker-pool/io-memory.js';
import { WorkerPool } from './worker-pool/worker-pool.js';

const COMPLETED: Outcome = { state: 'completed' };

/**
 * Executes a plan, and adds its runs to those of an earlier report if there is one. A failure or an abort is an outcome
 * of the report, not an exception.
 */
export async function execute(
  plan: RunPlan,
  hooks: ExecuteHooks,
  watcher: Watcher,
  report: Report = emptyReport(plan),
): Promise<Report> {
  const never = new AbortController().signal;
  const { signal = never, end = never, onEvent = () => {}, peers } = hooks;
  if (peers) report.job = peers.record;
  report.outcome = { state: 'running' };
  const warn = warnOnce(report, onEvent);
  const stallDetector = new StallDetector(plan.options.stallTimeout, signal, (stall) =>
    onEvent({ type: 'stall', ...stall }),
  );
  const shared = { ...hooks, plan, report, signal, end, onEvent, warn, stallDetector };

  report.outcome = await captureOutcome(async () => {
    if (signal.aborted) return abortedOutcome(signal);
    const creation = `the creation of a directory in ${display(plan.directory)}`;
    const scratch = await stallDetector.watch(creation, openScratch(plan, watcher));
    let runOutcome: Outcome;
    let removalOutcome: Outcome;
    try {
      report.target.scratchDirectory = scratch.directory.path;
      onEvent({ type: 'start', report: snapshotReport(report) });
      for (const warning of [...plan.warnings, ...scratch.warnings]) warn(warning);
      // If the watcher could not even start, an error of the listener must end the run.
      const lossAtStart = await Promise.race([watcher.ended, null]);
      if (lossAtStart) warn(lossAtStart);
      void watcher.ended.then((warning) => {
        // Afterwards the report has been published; don't mutate it.
        if (report.outcome.state === 'running') warn(warning);
      });
      runOutcome = await captureOutcome(() => measureAll({ ...shared, scratch }));
      onEvent({ type: 'activity', activity: 'removing' });
    } finally {
      // Remove the files even if a listener throws.
      const removal = `the removal of ${display(scratch.directory.path)}`;
      removalOutcome = await captureOutcome(async () => {
        await stallDetector.watch(removal, scratch.remove(), scratch.countRemovedFiles);
        return COMPLETED;
      });
    }
    return combineOutcomes(runOutcome, removalOutcome);
  });
  onEvent({ type: 'end', report });
  return report;
}

async function measureAll(
  shared: Omit<RunContext, 'workerPool' | 'workerPools' | 'cache' | 'fileLocations'>,
): Promise<Outcome> {
  const { plan, scratch, onEvent, peers, report, warn } = shared;
  const { options, machine } = plan;
  const cache = new PageCache({
    mode: options.cache,
    machine,
    keptReason: whyCacheIsKept(plan),
    onGiveUp: (reason, remedy) => {
      const { platform, isRoot } = machine;
      const isDirect = options.direct || plan.sharesData || report.command !== undefined;
      warn(createWarning('cache-not-dropped', { reason, remedy, platform, isRoot, isDirect }));
    },
  });
  onEvent({ type: 'activity', activity: 'preparing' });
  const ioMemory = makeIoMemory(plan);
  const workerPools = plan.workerGroups.map((_, group) => new WorkerPool(plan, group, ioMemory));
  const [workerPool] = workerPools;
  if (!workerPool) throw new Error('a run was planned without threads');
  try {
    // Each step of a list starts the threads that it needs, because it may not be measured.
    await workerPool.start(plan.layout?.assignments.length ?? plan.workerGroups[0] ?? 0);
    const fileLocations = await findFileLocations(plan, scratch, peers);
    return await measureRuns({ ...shared, fileLocations, workerPool, workerPools, cache });
  } finally {
    // Even if another rank fails, because the threads would keep this process alive.
    await Promise.all(workerPools.map((pool) => pool.terminate()));
    report.cache = cache.record;
    report.warnings = mergeRunWarnings(report);
  }
}

/** Repeats the run until there are enough. */
async function measureRuns(context: RunContext): Promise<Outcome> {
  const { plan, signal, end, peers, report, warn, isSingleRun, isDecided = () => true } = context;
  const { options } = plan;
  const startMs = performance.now();
  const isSettled = () => isDecided(report);
  const isStable = (withinPercent: number) => areStable(report.runs, withinPercent);
  const hasEnoughRuns = () => {
    const elapsedSeconds = (performance.now() - startMs) / MS_PER_SECOND;
    return isEnough(report.runs.length, elapsedSeconds, options, isSettled, isStable);
  };
  let { layout } = plan;
  do {
    if (signal.aborted || !(await measureRun(layout, context)))
      return abortedOutcome(end.aborted && !signal.aborted ? end : signal);
    layout = null;
  } while (!isSingleRun && !hasEnoughRuns());
  await peers?.finish();
  if (!isSingleRun) for (const warning of spreadWarnings(report.runs, options)) warn(warning);
  return COMPLETED;
}

/** `layout`: writes the data that all steps use. Null if an earlier run has written it. Returns false after an abort. */
async function measureRun(layout: Step | null, context: RunContext): Promise<boolean> {
  const { signal, onEvent, cache, report, warn } = context;
  const run: Run = { startedAt: new Date().toISOString(), state: 'incomplete', measurements: [] };
  report.runs.push(run);
  const runNumber = report.runs.length;
  onEvent({ type: 'run-start', run: runNumber });
  if (layout && !(await layOutData(layout, context))) return false;
  for (const step of stepsOfRun(runNumber, context)) {
    const joint = await measureFromDevice(step, runNumber, context);
    if (!joint) return false;
    for (const measurement of [joint.measurement, ...(joint.background ?? [])]) {
      run.measurements.push(measurement);
      const soFar = report.job && { report: snapshotReport(report) };
      onEvent({ type: 'step-end', run: runNumber, measurement, ...soFar });
      for (const warning of findJobWarnings(measurement, joint.rankMeasurements, report)) warn(warning);
    }
    // A step that only its data ends has a result, but the run is not complete.
    if (context.end.aborted && step.goal.unit === 'bytes') return false;
  }
  if (runNumber === 1 && !context.skipsCeiling) {
    const ceiling = await measureMemoryCeiling(context);
    if (signal.aborted) return false;
    report.memoryCeiling = ceiling;
    for (const measurement of run.measurements)
      for (const warning of findJobWarnings(measurement, [], report)) warn(warning);
  }
  if (report.memoryCeiling) report.memoryCeiling = raiseCeilings(report.memoryCeiling, report);
  run.state = 'completed';
  report.cache = cache.record;
  report.statistics = computeRunStatistics(report.runs);
  report.warnings = mergeRunWarnings(report);
  onEvent({ type: 'run-end', run: runNumber, result: run, report: snapshotReport(report) });
  return true;
}

/** Writes the data that all steps use. Returns false after an abort, or if a signal ended it before all data existed. */
async function layOutData(layout: Step, context: RunContext): Promise<boolean> {
  const { plan, report, onEvent, warn } = context;
  const joint = await measureOnAllRanks(layout, 1, context);
  if (!joint || context.end.aborted) return false;
  const { bytes, seconds } = joint.measurement;
  report.layout = { bytes, seconds };
  // Only rank 0 has the sum of all ranks.
  const wantedBytes = plan.totalBytes * Math.max(1, joint.rankMeasurements.length);
  if (bytes < wantedBytes) warn(createWarning('layout-stopped', { wantedBytes, usedBytes: bytes, seconds }));
  onEvent({ type: 'activity', activity: 'preparing' });
  return true;
}

/**
 * Measures a step, and again with direct I/O if the page cache served part of it. The ranks of a job do not repeat a step:
 * they would have to agree on it. Returns null after an abort.
 */
async function measureFromDevice(
  step: Step,
  run: number,
  context: RunContext,
): Promise<JointMeasurement | null> {
  const { plan, report, peers, allowCached } = context;
  const earlier = allMeasurements(report).find((one) => one.step === step.name && one.cached);
  const known = earlier && toDirectStep(step, plan, earlier.cached?.seconds ?? 0);
  if (known) return measureOnAllRanks(known, run, context);
  const joint = await measureOnAllRanks(step, run, context);
  if (!joint || allowCached || peers || !step.phase.coldCache) return joint;
  const { seconds, bytesPerSecond, operationsPerSecond, device } = joint.measurement;
  const isCached = device.share !== null && !isServedByDevice(device.share);
  if (!isCached) return joint;
  const direct = toDirectStep(step, plan, seconds);
  if (!direct) return joint;
  for (const warning of ioSizeWarning(direct, step.transfer.ioSizeBytes)) context.warn(warning);
  const title = `${step.title}, again with direct I/O`;
  const again = await measureOnAllRanks({ ...direct, title }, run, context);
  const cached = { seconds, bytesPerSecond, operationsPerSecond, deviceShare: device.share };
  return again && { ...again, measurement: { ...again.measurement, title: step.title, cached } };
}

/** Creates the files of a step that needs new files, then measures it. Returns null after an abort. */
async function measureOnAllRanks(
  step: Step,
  run: number,
  context: RunContext,
): Promise<JointMeasurement | null> {
  const { peers, fileLocations, report, warn } = context;
  const { phase } = step;
  const create = () => recreateFiles(step, run, context);
  const measure = () => measureStep(fileLocations.locate(step), run, context);
  if (phase.access === 'creates') await (peers ? peers.step(create) : create());
  if (!peers) {
    const own = await measure();
    return own && { ...own, rankMeasurements: [] };
  }
  const joint = await peers.measure(measure, report.warnings);
  for (const warning of joint?.warnings ?? []) warn(warning);
  if (joint) fileLocations.recordSourceCreated(phase, joint.sourceCreated);
  return joint;
}

/** Creates the files or trees that a phase fills, and first removes the previous run's. */
async function recreateFiles(step: Step, run: number, context: RunContext): Promise<void> {
  const { scratch, stallDetector, signal, onEvent } = context;
  if (signal.aborted) return;
  onEvent({ type: 'activity', activity: 'preparing' });
  const creation = `the creation of files in ${display(scratch.directory.path)}`;
  await stallDetector.watch(creation, scratch.recreate(step, run), scratch.countRemovedFiles);
}

/** Returns a function that reports each warning once, even if several runs raise it. */
function warnOnce(report: Report, onEvent: (event: RunEvent) => void) {
  const known = new Set(report.warnings.map(warningKey));
  return (warning: Warning) => {
    const key = warningKey(warning);
    if (known.has(key)) return;
    known.add(key);
    report.warnings.push(warning);
    onEvent({ type: 'warning', warning });
  };
}

function abortedOutcome(signal: AbortSignal): Outcome {
  return { state: 'aborted', reason: String(signal.reason) };
}

/** Turns a known error into an outcome; a bug remains an exception. */
async function captureOutcome(act: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await act();
  } catch (error) {
    const known = toGobonnieError(error as Error);
    if (!known) throw error;
    return { state: 'failed', code: known.code, message: known.message, hint: known.hint };
  }
}

/** Always reports a failed clean-up, after the reason why the run ended. */
function combineOutcomes(runOutcome: Outcome, removalOutcome: Outcome): Outcome {
  if (removalOutcome.state !== 'failed') return runOutcome;
  if (runOutcome.state === 'failed') {
    const message = `${runOutcome.message}; and ${removalOutcome.message}`;
    const hint = [...new Set([runOutcome.hint, removalOutcome.hint])].join('; ');
    return { ...runOutcome, message, hint };
  }
  if (runOutcome.state === 'aborted')
    return { ...removalOutcome, message: `stopped by ${runOutcome.reason}, and ${removalOutcome.message}` };
  return removalOutcome;
}
