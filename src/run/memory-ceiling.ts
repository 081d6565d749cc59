import { getPhase } from '../../workers/phases/phase-catalogue.js';
import type { Assignment } from '../../workers/protocol.js';
import { primaryRateOf } from '../report/rate.js';
import type { MemoryCeiling } from '../report/schema/report.js';
import { sum } from '../report/statistics/statistics.js';
import { display } from '../text/escape.js';
import { MIB, MS_PER_SECOND, NS_PER_SECOND } from '../text/units.js';
import type { RunContext } from './run-context.js';
import type { Assignments } from './worker-pool/worker-pool.js';

/** Maximum duration of each of three steps: a first pass, then the attempts of `read`, then those of `iops`. */
const STEP_SECONDS = 0.1;
/** Maximum duration of a step as a share of the run's phases, to keep a short run short. */
const STEP_SHARE = 0.1;
/** Attempts per phase: other programs disturb some, so the best one counts. Up to double if the phase was faster. */
const TRIES = 4;
/** A phase's attempts end after this many steps: many threads or a busy machine slow the preparation down. */
const MAX_STEPS = 1.5;
/** If cached reads are much slower than the phase, every attempt was disturbed. */
const MIN_SHARE = 0.5;
/** Data for the random operations. One operation in ten writes, and a network filesystem sends the data on close. */
const RANDOM_BYTES = 16 * MIB;

/**
 * Measures how fast `read` and `iops` are on data that is in the page cache because it was just read: the rate of the
 * loop without a disk. Uses the page cache even with --direct. Call after the last phase, to disturb none. Returns null
 * without these phases, if other processes may still be measuring, after a failure, and after an abort.
 */
export async function measureMemoryCeiling(context: RunContext): Promise<MemoryCeiling | null> {
  const { plan, report, signal, beforePhase } = context;
  const { transfer } = plan;
  const assignments = findReadAssignments(context);
  if (beforePhase || assignments.length === 0) return null;
  const phaseSeconds = report.runs.flatMap(({ measurements }) => measurements.map(({ seconds }) => seconds));
  const stepSeconds = Math.min(STEP_SECONDS, sum(phaseSeconds) * STEP_SHARE);

  // Read for one step: little data from a disk, but from RAM more than the CPU's caches hold, as in the phase.
  const firstSlices = assignments.map((assignment) => truncateSlice(assignment));
  const first = await measurePass('read', firstSlices, stepSeconds, context);
  if (first === null || signal.aborted) return null;
  const minBytes = Math.max(transfer.blockSizeBytes, transfer.ioSizeBytes);
  const cachedAssignments = assignments.map((assignment, index) =>
    truncateSlice(assignment, Math.max(first.readBytes[index] ?? 0, minBytes)),
  );
  const randomBytes = Math.max(RANDOM_BYTES / assignments.length, transfer.ioSizeBytes);
  const randomAssignments = cachedAssignments.map((assignment) => truncateSlice(assignment, randomBytes));
  const bytesPerSecond = await measureFastest('read', cachedAssignments, stepSeconds, context);
  // With --fsync-per-write, the device sets the pace of the writes.
  const operationsPerSecond = transfer.fsyncPerWrite
    ? null
    : await measureFastest('iops', randomAssignments, stepSeconds, context);
  const isKnown = bytesPerSecond !== null || operationsPerSecond !== null;
  return isKnown && !signal.aborted ? { bytesPerSecond, operationsPerSecond } : null;
}

/** Returns the slices that the threads read in `read` and `iops`. Empty if the files no longer hold the data. */
function findReadAssignments({ plan: { phases }, fileLocations }: RunContext): Assignments {
  const creator = phases
    .map(getPhase)
    .findLast(({ dataset, access }) => dataset === 'data' && access === 'creates');
  const at = phases.findIndex((name) => name === 'read' || name === 'iops');
  return creator?.ioUnit === 'blocks' && at >= 0
    ? fileLocations.assignments(getPhase(phases[at] ?? ''), at)
    : [];
}

/** Returns the start of the first slice. */
function truncateSlice({ slices: [slice] }: Assignment, maxBytes = Number.POSITIVE_INFINITY): Assignment {
  const slices = slice ? [{ ...slice, lengthBytes: Math.min(slice.lengthBytes, maxBytes) }] : [];
  return { slices, tree: null };
}

/** Returns the best rate. Null if the run did not measure the phase, or every attempt was disturbed. */
async function measureFastest(
  name: string,
  assignments: Assignments,
  stepSeconds: number,
  context: RunContext,
): Promise<number | null> {
  const { report, signal } = context;
  const [measurement] = report.runs.flatMap(({ measurements }) =>
    measurements.filter(({ phase }) => phase === name),
  );
  if (!measurement) return null;
  const endMs = performance.now() + MAX_STEPS * stepSeconds * MS_PER_SECOND;
  let best = 0;
  for (let tries = 0; tries < 2 * TRIES && !signal.aborted; tries++) {
    const isLate = tries > 0 && performance.now() > endMs;
    if (isLate || (tries >= TRIES && best >= primaryRateOf(measurement))) break;
    const attempt = await measurePass(name, assignments, stepSeconds / TRIES, context);
    if (attempt === null) return null;
    best = Math.max(best, attempt.perSecond);
  }
  return best >= primaryRateOf(measurement) * MIN_SHARE ? best : null;
}

/** Runs a phase from the page cache until its work is done or the time is over. Returns null if it fails. */
async function measurePass(name: string, assignments: Assignments, maxSeconds: number, context: RunContext) {
  const { workerPool, stallDetector, scratch, signal, report } = context;
  const phase = getPhase(name);
  const work = async () => {
    const prepared = await workerPool.prepare(phase, assignments, report.runs.length, true);
    return workerPool.perform(phase, prepared, maxSeconds, signal, () => {});
  };
  const operation = `the measurement of cached reads in ${display(scratch.path)}`;
  const { tallies, failures, gateNs } = await stallDetector.watch(operation, work());
  // The report is complete without this rate, so a failure here does not end the run.
  if (failures.length > 0) return null;
  const seconds = Math.max(...tallies.map(({ endNs }) => Number(endNs - gateNs))) / NS_PER_SECOND;
  const readBytes = tallies.map((tally) => tally.readBytes);
  const amounts = phase.primaryRate === 'bytes' ? readBytes : tallies.map(({ operations }) => operations);
  return { readBytes, perSecond: sum(amounts) / seconds };
}
