import { getPhase } from '../../workers/phases/phase-catalogue.js';
import type { Assignment } from '../../workers/protocol.js';
import { primaryRateOf } from '../report/rate.js';
import type { MemoryCeiling } from '../report/schema/report.js';
import { sum } from '../report/statistics/statistics.js';
import { display } from '../text/escape.js';
import { MIB, MS_PER_SECOND, NS_PER_SECOND } from '../text/units.js';
import type { RunContext } from './run-context.js';
import type { Assignments } from './worker-pool/worker-pool.js';

/** Each of the three steps takes about this long, */
const STEP_SECONDS = 0.1;
/** and no larger a part of the run before it, so that a short run stays short. */
const STEP_SHARE = 0.1;
/** The best attempt counts, because other programs disturb some. A faster phase doubles the attempts. */
const TRIES = 4;
/** No more tries after so many steps: many threads, or a busy machine, take longer to prepare one. */
const READ_STEPS = 2.5;
const ALL_STEPS = 4;
/** If cached reads are much slower than the phase, every attempt was disturbed. */
const MIN_SHARE = 0.5;
/** One operation in ten writes, and a network filesystem sends all of that when the files are closed. */
const RANDOM_BYTES = 16 * MIB;

/**
 * The speed of memory: `read` and `iops` as the run has measured them, but on data that is in the page cache because it
 * was just read; with --direct as well, to show how fast the loop is without a disk. After the last phase, so that it disturbs
 * none. Null if it is unknown: without these phases, if other processes may still measure, and after an abort.
 */
export async function measureMemoryCeiling(context: RunContext): Promise<MemoryCeiling | null> {
  const { plan, report, signal, beforePhase } = context;
  const { transfer } = plan;
  const assignments = findReadAssignments(context);
  if (beforePhase || assignments.length === 0) return null;
  const phaseSeconds = report.runs.flatMap(({ measurements }) => measurements.map(({ seconds }) => seconds));
  const startMs = performance.now();
  const stepSeconds = Math.min(STEP_SECONDS, sum(phaseSeconds) * STEP_SHARE);

  // As much as can be read in that time: little of a disk's data, but of data that is in memory more than the
  // processor's own caches hold, as in the phase.
  const first = await measurePass(
    'read',
    assignments.map((assignment) => truncateSlice(assignment)),
    stepSeconds,
    context,
  );
  if (first === null || signal.aborted) return null;
  const minBytes = Math.max(transfer.blockSizeBytes, transfer.ioSizeBytes);
  const hot = assignments.map((assignment, index) =>
    truncateSlice(assignment, Math.max(first.readBytes[index] ?? 0, minBytes)),
  );
  const randomBytes = Math.max(RANDOM_BYTES / assignments.length, transfer.ioSizeBytes);
  const hotRandom = hot.map((assignment) => truncateSlice(assignment, randomBytes));
  const deadlineMs = (steps: number) => startMs + steps * stepSeconds * MS_PER_SECOND;
  const bytesPerSecond = await measureFastest(
    'read',
    hot,
    stepSeconds / TRIES,
    deadlineMs(READ_STEPS),
    context,
  );
  // After each write of --fsync-per-write the device sets the pace.
  const operationsPerSecond = transfer.fsyncPerWrite
    ? null
    : await measureFastest('iops', hotRandom, stepSeconds / TRIES, deadlineMs(ALL_STEPS), context);
  const isKnown = bytesPerSecond !== null || operationsPerSecond !== null;
  return isKnown && !signal.aborted ? { bytesPerSecond, operationsPerSecond } : null;
}

/** The slices that each thread reads in both phases. None if the files no longer hold them. */
function findReadAssignments({ plan: { phases }, fileLocations }: RunContext): Assignments {
  const creator = phases
    .map(getPhase)
    .findLast(({ dataset, access }) => dataset === 'data' && access === 'creates');
  const at = phases.findIndex((name) => name === 'read' || name === 'iops');
  return creator?.ioUnit === 'blocks' && at >= 0
    ? fileLocations.assignments(getPhase(phases[at] ?? ''), at)
    : [];
}

/** The start of a slice. */
function truncateSlice({ slices: [slice] }: Assignment, maxBytes = Number.POSITIVE_INFINITY): Assignment {
  const slices = slice ? [{ ...slice, lengthBytes: Math.min(slice.lengthBytes, maxBytes) }] : [];
  return { slices, tree: null };
}

/** Returns the best rate. Null if the phase was not measured. */
async function measureFastest(
  name: string,
  assignments: Assignments,
  trySeconds: number,
  endMs: number,
  context: RunContext,
): Promise<number | null> {
  const { report, signal } = context;
  const [measured] = report.runs.flatMap(({ measurements }) =>
    measurements.filter(({ phase }) => phase === name),
  );
  if (!measured) return null;
  let best = 0;
  for (let tries = 0; tries < 2 * TRIES && !signal.aborted; tries++) {
    const isLate = tries > 0 && performance.now() > endMs;
    if (isLate || (tries >= TRIES && best >= primaryRateOf(measured))) break;
    const attempt = await measurePass(name, assignments, trySeconds, context);
    if (attempt === null) return null;
    best = Math.max(best, attempt.perSecond);
  }
  return best >= primaryRateOf(measured) * MIN_SHARE ? best : null;
}

/** A phase without its cold cache and its samples, that ends when its work is done or the time is over. Null if it failed. */
async function measurePass(name: string, assignments: Assignments, maxSeconds: number, context: RunContext) {
  const { workerPool, stallDetector, scratch, signal, report } = context;
  const phase = getPhase(name);
  const work = async () => {
    const prepared = await workerPool.prepare(phase, assignments, report.runs.length, true);
    const limits = { durationSeconds: maxSeconds, stonewall: null };
    return workerPool.perform(phase, prepared, limits, signal, () => {});
  };
  const operation = `the measurement of the memory's speed in ${display(scratch.path)}`;
  const { tallies, failures, gateNs } = await stallDetector.watch(operation, work());
  // The results are complete without it; the next phase would fail the same way.
  if (failures.length > 0) return null;
  const seconds = Math.max(...tallies.map(({ endNs }) => Number(endNs - gateNs))) / NS_PER_SECOND;
  const readBytes = tallies.map((tally) => tally.readBytes);
  const amounts = phase.primaryRate === 'bytes' ? readBytes : tallies.map(({ operations }) => operations);
  return { readBytes, perSecond: sum(amounts) / seconds };
}
