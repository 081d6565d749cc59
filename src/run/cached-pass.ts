import { setTimeout as sleep } from 'node:timers/promises';
import { getPhase } from '../../workers/phases/phase-catalogue.js';
import type { Transfer, WorkerFailure } from '../../workers/protocol.js';
import type { Step } from '../plan/steps.js';
import { slowestSeconds } from '../report/measure/elapsed.js';
import { sum } from '../report/statistics/statistics.js';
import type { RunContext } from './run-context.js';

const ALL_READS = 100;
/** The warm-up for a shorter step could take longer than the step. */
const MIN_STEP_SECONDS = 1;
const WARM_UP_PASSES = 5;
/** After so many operations of a single thread, Node compiles nothing more during the measurement. */
const OPERATIONS_PER_PASS = 8000;
/** After so many with 64 threads, an operation took as little CPU time as after minutes. */
const MIN_OPERATIONS_PER_THREAD = 1000;
const MAX_PASS_SECONDS = 0.5;
const MAX_COMPILE_MS = 500;
const CHECK_EVERY_MS = 10;
/** Half of that time, on one CPU. */
const IDLE_US = 5000;

/** Returns a step that does the same work through the page cache, and syncs nothing. */
export function cachedStep(
  step: Step,
  maxSeconds: number,
  maxOperationsPerWorker: number | null = null,
): Step {
  const transfer = { ...step.transfer, direct: false, fsync: false };
  return { ...step, transfer, goal: { unit: 'seconds', amount: maxSeconds }, maxOperationsPerWorker };
}

/** With a sync after each write, the device sets the pace of the writes even in the page cache. */
export function isPaced({ syncPerWrite, readPercent }: Transfer): boolean {
  return syncPerWrite !== null && readPercent < ALL_READS;
}

/** Runs a cached step until its work is done or the time is over. */
export async function measureCachedPass(step: Step, { workerPool, signal, report }: RunContext) {
  const prepared = await workerPool.prepare(step, report.runs.length);
  const { tallies, failures, gateNs } = await workerPool.perform(step, prepared, signal, () => {});
  const seconds = slowestSeconds(step.name, tallies, gateNs, step.transfer.depth);
  const readBytes = tallies.map((tally) => tally.readBytes);
  const operations = tallies.map((tally) => tally.operations);
  const { primaryRate } = getPhase(step.phase);
  const perSecond = sum(primaryRate === 'bytes' ? readBytes : operations) / seconds;
  return { failures, readBytes, operations, perSecond };
}

/**
 * Runs the loop of random operations on one cached block of each file until Node has compiled it in every thread.
 * Each thread compiles its own copy: during the measurement, 64 threads would use most of two CPUs for two seconds.
 * Returns the failed operations. They count as failures of the step, because it does the same operations.
 */
export async function warmUp(step: Step, context: RunContext): Promise<readonly WorkerFailure[]> {
  const { phase, transfer, goal, assignments } = step;
  const { signal, workerPool, onEvent } = context;
  if (getPhase(phase).ioUnit !== 'random-blocks' || goal.amount < MIN_STEP_SECONDS || isPaced(transfer))
    return [];
  if (!workerPool.startWarmUp(transfer, assignments.length)) return [];
  onEvent({ type: 'activity', activity: 'preparing' });
  const oneBlockEach = assignments.map(({ slices, tree }) => ({
    tree,
    slices: slices.map((slice) => ({ ...slice, lengthBytes: transfer.ioSizeBytes })),
  }));
  const threads = assignments.length;
  const perThread = Math.max(MIN_OPERATIONS_PER_THREAD, Math.ceil(OPERATIONS_PER_PASS / threads));
  const cached = cachedStep({ ...step, assignments: oneBlockEach }, MAX_PASS_SECONDS, perThread);
  for (let pass = 0; pass < WARM_UP_PASSES && !signal.aborted; pass++) {
    const { failures, operations } = await measureCachedPass(cached, context);
    // Where the cache is not used, the storage sets the pace, and compiled code would change nothing.
    if (failures.length > 0 || sum(operations) < perThread * threads) return failures;
    await finishCompilation();
  }
  return [];
}

/** Waits for Node's compiler threads. The workers wait meanwhile, so the process is idle when the compiler is. */
async function finishCompilation(): Promise<void> {
  const endMs = performance.now() + MAX_COMPILE_MS;
  let userUs: number;
  do {
    const before = process.cpuUsage();
    await sleep(CHECK_EVERY_MS);
    userUs = process.cpuUsage(before).user;
  } while (userUs > IDLE_US && performance.now() < endMs);
}
