import { setTimeout as delay } from 'node:timers/promises';
import type { WorkerFailure } from '../../workers/protocol.js';
import { GobonnieError } from '../errors.js';
import type { RunPlan } from '../plan/plan.js';
import type { Step } from '../plan/steps.js';
import type { ProgressSample } from '../report/events/event-record.js';
import { mergeTallies, type PhaseData } from '../report/measure/measurement.js';
import { snapshotReport } from '../report/runs.js';
import type { Measurement } from '../report/schema/report.js';
import { rejectMovedDirectory } from '../scratch/own-files.js';
import { systemHint, systemReason } from '../system-error.js';
import { display } from '../text/escape.js';
import type { MessageTemplate } from '../text/message-template.js';
import { MS_PER_SECOND, pluralize } from '../text/units.js';
import { contextOf, performBeside } from './background.js';
import { syncEverything } from './cache/cache-method.js';
import { syncFiles } from './cache/page-cache.js';
import { findFalseCapacity } from './false-capacity.js';
import { monitorFreeSpace } from './free-space.js';
import { startCounting } from './kernel/counters.js';
import { watchWorkers } from './kernel/worker-watch.js';
import type { OwnMeasurement } from './peer-group.js';
import type { RunContext } from './run-context.js';
import { warmUp } from './warm-up.js';
import type { StepProgress } from './worker-pool/worker-pool.js';

/** A step with pauses may last for days, so its result so far is reported at this interval. */
const REPORT_SECONDS = 10;

/** Announces and measures a step. Returns null after an abort: an unfinished phase has no result. */
export async function measureStep(
  step: Step,
  run: number,
  context: RunContext,
): Promise<OwnMeasurement | null> {
  const { plan, fileLocations, workerPool, cache, stallDetector, signal, end, onEvent, peers } = context;
  const { name, title, goal, phase } = step;
  const location = fileLocations.forPhase(phase);
  if (signal.aborted) return null;
  try {
    await context.beforeStep?.(name, run, signal);
  } catch (error) {
    // A hook that waits may reject when the run is aborted.
    if (!signal.aborted) throw error;
    return null;
  }
  const { primaryRate } = phase;
  onEvent({ type: 'step-start', run, step: name, phase: phase.name, title, primaryRate, goal });
  if (signal.aborted) return null;
  const watch = <Result>(work: Promise<Result>) => watchWorkers(step, context, work);
  const companions = plan.steps
    .filter(({ beside }) => beside === name)
    .map((one) => fileLocations.locate(one));
  const space = monitorFreeSpace(step, run, context);
  let isSyncing = false;
  const toMeasurement = (own: Step, data: Omit<PhaseData, 'isCacheDropped'>) => {
    const isCacheDropped = own.phase.coldCache && cache.record.applied === 'drop';
    return mergeTallies(own, own.phase, { ...data, isCacheDropped }, plan.machine);
  };
  let reportedSeconds = 0;
  const onSample = (sample: ProgressSample, measureSoFar: () => Measurement) => {
    space.observe(sample);
    const wasSyncing = isSyncing;
    isSyncing = workerPool.isSyncing();
    const isDue = step.transfer.intervalMs !== null && sample.seconds >= reportedSeconds + REPORT_SECONDS;
    if (isDue) reportedSeconds = sample.seconds;
    const soFar = isDue && { report: snapshotReport(context.report, [measureSoFar()]) };
    // The last operations of a step with pauses may end just before its sync.
    const hasOperations = (sample.recent ?? []).length > 0;
    if (!isSyncing || hasOperations) onEvent({ type: 'sample', run, step: name, ...sample, ...soFar });
    if (isSyncing && !wasSyncing) onEvent({ type: 'activity', activity: 'syncing' });
  };
  const rejectMoved = () => watch(rejectMovedDirectory(location.directory));
  await rejectMoved();
  for (const one of [...companions, step]) {
    const own = contextOf(one, context);
    throwFailure(one, await watchWorkers(one, own, warmUp(one, own)));
  }
  if (mayDataBeDirty(step, plan)) {
    onEvent({ type: 'activity', activity: 'syncing' });
    await syncFiles(fileLocations.listCached(), context);
  }
  if (step.pauseSeconds > 0) {
    onEvent({ type: 'activity', activity: 'pausing' });
    const interruption = AbortSignal.any([signal, end]);
    await delay(step.pauseSeconds * MS_PER_SECOND, null, { signal: interruption }).catch(() => {});
    if (interruption.aborted) return null;
  }
  const needsColdCache = [step, ...companions].some((one) => one.phase.coldCache);
  if (needsColdCache && cache.record.applied !== 'keep')
    onEvent({ type: 'activity', activity: 'dropping-cache' });
  const perform = async (stop: AbortSignal) => {
    onEvent({ type: 'activity', activity: 'preparing' });
    // A filesystem that frees space late is no stall as long as it answers.
    const querying = `free space in ${display(plan.directory)}`;
    await stallDetector.watch(querying, space.begin(), space.countQueries);
    await rejectMoved();
    const prepared = await watch(workerPool.prepare(step, run));
    return performBeside(companions, run, context, stop, async (endSignal) => {
      await peers?.gate();
      const count = startCounting(plan.machine.target);
      const sampled = (sample: ProgressSample, soFar: () => StepProgress) =>
        onSample(sample, () => toMeasurement(step, { ...soFar(), counters: count() }));
      const progress = await watch(workerPool.perform(step, prepared, endSignal, sampled, end));
      return { ...progress, counters: count() };
    });
  };
  if (phase.coldCache && phase.ioUnit === 'tool-calls')
    await stallDetector.watch('the sync of all filesystems', syncEverything());
  const { result, background } = needsColdCache
    ? await cache.emptyDuring(fileLocations.listCached(), context, perform)
    : await perform(signal);
  const [failure] = result.failures;
  const falseCapacity = failure && (await findFalseCapacity(failure, step, plan));
  if (falseCapacity) throw falseCapacity;
  for (const one of background) throwFailure(one.step, one.failures);
  throwFailure(step, result.failures);
  space.finish();
  if (signal.aborted) return null;
  const created = phase.access === 'creates' ? fileLocations.recordCreated(phase, result.tallies) : undefined;
  return {
    measurement: toMeasurement(step, result),
    background: background.map((one) => toMeasurement(one.step, one)),
    gateNs: result.gateNs,
    created,
  };
}

/**
 * True if an earlier step may have left the data of a list unsynced. The kernel would not count this step's writes to dirty
 * pages, and would write these pages back while it is measured.
 */
function mayDataBeDirty(step: Step, { sharesData, layout, steps }: RunPlan): boolean {
  if (!sharesData || (layout === null && step === steps[0])) return false;
  return steps.some(({ transfer }) => !transfer.fsync) || layout?.transfer.fsync === false;
}

function throwFailure(step: Step, failures: readonly WorkerFailure[]): void {
  if (failures.length > 0) throw phaseFailure(step, failures);
}

/** Hints for damaged data, by the worker's error code. */
const CORRUPTION_HINTS: Readonly<Record<string, string>> = {
  CORRUPT: 'the disk or another process changed the data: do not trust this disk until you know which',
  SHORT: 'the disk or another process truncated the file: do not trust this disk until you know which',
};

export function phaseFailure({ phase, transfer }: Step, failures: readonly WorkerFailure[]): GobonnieError {
  const [first, ...others] = failures;
  if (!first) throw new Error('a phase failed without a failure');
  if (first.code === 'BUG') throw new Error(first.message, { cause: first.stack });
  const more = others.length > 0 ? ` (and ${pluralize(others.length, 'more thread')} failed)` : '';
  return new GobonnieError(
    first.code in CORRUPTION_HINTS ? 'data-corrupt' : 'phase-failed',
    `${phase.name} failed in ${display(first.file)} ${describeFailure(first)}${more}`,
    failureHint(first, transfer.direct),
    { cause: first },
  );
}

/** System calls on a whole file, which have no offset. */
const WHOLE_FILE_CALLS = new Set(['close', 'link', 'lstat', 'open', 'symlink', 'unlink']);
/** System calls that create an entry. Their ENOSPC may also mean that no inodes are free. */
const CREATING_CALLS = new Set(['link', 'open', 'symlink']);
const NO_INODES_HINT = `free some space${process.platform === 'win32' ? '' : ' or inodes (`df -i`)'}, pass fewer --files, or measure another directory`;

function describeFailure(failure: WorkerFailure): string {
  if (WHOLE_FILE_CALLS.has(failure.syscall ?? '')) return `(${failure.syscall}): ${systemReason(failure)}`;
  return failure.syscall === 'fsync'
    ? `while syncing it to the device: ${systemReason(failure)}`
    : `at offset ${failure.positionBytes}: ${systemReason(failure)}`;
}

function failureHint(failure: WorkerFailure, direct: boolean): MessageTemplate {
  // The kernel returns EINVAL for everything that O_DIRECT does not support.
  if (direct && failure.code === 'EINVAL')
    return failure.syscall === 'open'
      ? 'this filesystem does not support --direct (O_DIRECT): leave it out, or measure another directory'
      : 'with --direct this filesystem accepts only whole blocks: pass --io-size 4k or a multiple of it';
  if (failure.code === 'ENOSPC' && CREATING_CALLS.has(failure.syscall ?? '')) return NO_INODES_HINT;
  return CORRUPTION_HINTS[failure.code] ?? systemHint(failure);
}
