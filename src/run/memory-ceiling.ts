import { getPhase } from '../../workers/phases/phase-catalogue.js';
import type { Assignment } from '../../workers/protocol.js';
import type { Step } from '../plan/steps.js';
import { primaryRateOf } from '../report/rate.js';
import type { MemoryCeiling } from '../report/schema/report.js';
import { sum } from '../report/statistics/statistics.js';
import { display } from '../text/escape.js';
import { MIB, MS_PER_SECOND, NS_PER_SECOND } from '../text/units.js';
import type { RunContext } from './run-context.js';

/** Maximum duration of each of three steps: a first pass, then the attempts of `read`, then those of `iops`. */
const STEP_SECONDS = 0.1;
/** Maximum duration of a step as a share of the run's phases, to keep a short run short. */
const STEP_SHARE = 0.1;
/** Attempts per phase: other programs disturb some, so the best one counts. Up to double if the phase was faster. */
const TRIES = 4;
/** A phase's attempts end after the time of this many: many threads or a busy machine slow the preparation down. */
const MAX_PHASE_TRIES = 6;
/** If cached reads are much slower than the phase, every attempt was disturbed. */
const MIN_SHARE = 0.5;
/** Data for the random operations. Some of them write, and a network filesystem sends that data on close. */
const RANDOM_BYTES = 16 * MIB;

/**
 * Measures how fast `read` and `iops` are on data that is in the page cache because it was just read: the rate of the
 * loop without a disk. Uses the page cache even with --direct, and syncs nothing. Call after the last phase, to disturb none. Returns null
 * without these phases, if other processes may still be measuring, after a failure, and after an abort.
 */
export async function measureMemoryCeiling(context: RunContext): Promise<MemoryCeiling | null> {
  const { plan, report, signal, beforeStep } = context;
  const { blockSizeBytes, ioSizeBytes, fsyncPerWrite } = plan.transfer;
  const located = findReadStep(context);
  if (beforeStep || !located) return null;
  const phaseSeconds = report.runs.flatMap(({ measurements }) => measurements.map(({ seconds }) => seconds));
  const stepSeconds = Math.min(STEP_SECONDS, sum(phaseSeconds) * STEP_SHARE);
  /** Reads each worker's first slice, or only its start. */
  const cachedStep = (phase: string, maxSeconds: number, maxBytes: (worker: number) => number): Step => ({
    ...located,
    phase,
    transfer: { ...plan.transfer, direct: false, fsync: false },
    goal: { unit: 'seconds', amount: maxSeconds },
    assignments: located.assignments.map((one, worker) => truncateSlice(one, maxBytes(worker))),
  });

  // Read for one step: little data from a disk, but from RAM more than the CPU's caches hold, as in the phase.
  const first = await measurePass(
    cachedStep('read', stepSeconds, () => Number.POSITIVE_INFINITY),
    context,
  );
  if (first === null || signal.aborted) return null;
  const minBytes = Math.max(blockSizeBytes, ioSizeBytes);
  const cachedBytes = (worker: number) => Math.max(first.readBytes[worker] ?? 0, minBytes);
  const randomBytes = Math.max(RANDOM_BYTES / located.assignments.length, ioSizeBytes);
  const read = cachedStep('read', stepSeconds / TRIES, cachedBytes);
  const iops = cachedStep('iops', stepSeconds / TRIES, (worker) =>
    Math.min(cachedBytes(worker), randomBytes),
  );
  const bytesPerSecond = await measureFastest(read, context);
  // With --fsync-per-write, the device sets the pace of the writes.
  const operationsPerSecond = fsyncPerWrite ? null : await measureFastest(iops, context);
  const isKnown = bytesPerSecond !== null || operationsPerSecond !== null;
  return isKnown && !signal.aborted ? { bytesPerSecond, operationsPerSecond } : null;
}

/** Returns `read` or `iops`, whose slices the threads read. Null if the files no longer hold the data. */
function findReadStep({ plan: { steps }, fileLocations }: RunContext): Step | null {
  const creator = steps
    .map(({ phase }) => getPhase(phase))
    .findLast(({ dataset, access }) => dataset === 'data' && access === 'creates');
  const step = steps.find(({ phase }) => phase === 'read' || phase === 'iops');
  return creator?.ioUnit === 'blocks' && step ? fileLocations.locate(step) : null;
}

/** Returns the start of the first slice. */
function truncateSlice({ slices: [slice] }: Assignment, maxBytes: number): Assignment {
  const slices = slice ? [{ ...slice, lengthBytes: Math.min(slice.lengthBytes, maxBytes) }] : [];
  return { slices, tree: null };
}

/** Returns the best rate. Null if the run did not measure the phase, or every attempt was disturbed. */
async function measureFastest(step: Step, context: RunContext): Promise<number | null> {
  const { report, signal } = context;
  const [measurement] = report.runs.flatMap(({ measurements }) =>
    measurements.filter((one) => one.step === step.phase),
  );
  if (!measurement) return null;
  const endMs = performance.now() + MAX_PHASE_TRIES * step.goal.amount * MS_PER_SECOND;
  let best = 0;
  for (let tries = 0; tries < 2 * TRIES && !signal.aborted; tries++) {
    const isLate = tries > 0 && performance.now() > endMs;
    if (isLate || (tries >= TRIES && best >= primaryRateOf(measurement))) break;
    const attempt = await measurePass(step, context);
    if (attempt === null) return null;
    best = Math.max(best, attempt.perSecond);
  }
  return best >= primaryRateOf(measurement) * MIN_SHARE ? best : null;
}

/** Runs a step until its work is done or the time is over. Returns null if it fails. */
async function measurePass(step: Step, context: RunContext) {
  const { workerPool, stallDetector, scratch, signal, report } = context;
  const work = async () => {
    const prepared = await workerPool.prepare(step, report.runs.length);
    return workerPool.perform(step, prepared, signal, () => {});
  };
  const operation = `the measurement of cached reads in ${display(scratch.path)}`;
  const { tallies, failures, gateNs } = await stallDetector.watch(operation, work());
  // The report is complete without this rate, so a failure here does not end the run.
  if (failures.length > 0) return null;
  const seconds = Math.max(...tallies.map(({ endNs }) => Number(endNs - gateNs))) / NS_PER_SECOND;
  const readBytes = tallies.map((tally) => tally.readBytes);
  const operations = tallies.map((tally) => tally.operations);
  const { primaryRate } = getPhase(step.phase);
  return { readBytes, perSecond: sum(primaryRate === 'bytes' ? readBytes : operations) / seconds };
}
