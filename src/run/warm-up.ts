import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkerFailure } from '../../workers/protocol.js';
import { toRampStep } from '../plan/ramp-step.js';
import { operationBytes, type Step } from '../plan/steps.js';
import { sum } from '../report/statistics/statistics.js';
import { cachedStep, isPaced, measureCachedPass } from './cached-pass.js';
import type { RunContext } from './run-context.js';

/** The warm-up for a shorter step could take longer than the step. */
const MIN_STEP_SECONDS = 0.55;
const PASSES = 5;
/** After so many operations of a single thread, Node compiles nothing more during the measurement. */
const OPERATIONS_PER_PASS = 8000;
/** After so many with 64 threads, an operation took as little CPU time as after minutes. */
const MIN_OPERATIONS_PER_THREAD = 1000;
const MAX_PASS_SECONDS = 0.5;
const MAX_COMPILE_MS = 500;
const CHECK_EVERY_MS = 10;
/** Half of that time, on one CPU. */
const IDLE_US = 5000;

/** Prepares Node and the disk for a step. Returns the failed operations, which count as failures of the step. */
export async function warmUp(step: Step, context: RunContext): Promise<readonly WorkerFailure[]> {
  const failures = await compileLoop(step, context);
  const rampStep = toRampStep(step, context.plan);
  return rampStep && failures.length === 0 ? ramp(rampStep, context) : failures;
}

/**
 * Runs the loop of a step on one cached block for each thread until Node has compiled it in every thread. Each thread
 * compiles its own copy: during the measurement, 64 threads would use most of two CPUs for two seconds.
 */
async function compileLoop(step: Step, context: RunContext): Promise<readonly WorkerFailure[]> {
  const { signal, workerPool, onEvent } = context;
  const threads = step.assignments.length;
  const perThread = Math.max(MIN_OPERATIONS_PER_THREAD, Math.ceil(OPERATIONS_PER_PASS / threads));
  if (!isLong(step, PASSES * perThread * threads) || isPaced(step.transfer)) return [];
  if (!workerPool.startWarmUp(step)) return [];
  onEvent({ type: 'activity', activity: 'preparing' });
  const repeated = cachedStep(repeatFirstBlock(step), MAX_PASS_SECONDS, perThread);
  for (let pass = 0; pass < PASSES && !signal.aborted; pass++) {
    const { failures, operations } = await measureCachedPass(repeated, context);
    // Where the cache is not used, the storage sets the pace, and compiled code would change nothing.
    if (failures.length > 0 || sum(operations) < perThread * threads) return failures;
    await finishCompilation();
  }
  return [];
}

/** Performs the beginning of a step without a result. */
async function ramp(step: Step, { workerPool, signal, onEvent }: RunContext) {
  onEvent({ type: 'activity', activity: 'preparing' });
  // No run has this number, so the random offsets are others.
  const prepared = await workerPool.prepare(step, 0);
  return (await workerPool.perform(step, prepared, signal, () => {})).failures;
}

/** True if the operations of a step are on blocks and take longer than a warm-up with `operations`. */
function isLong({ phase, goal, transfer }: Step, operations: number): boolean {
  if (phase.dataset !== 'data') return false;
  if (phase.ioUnit === 'random-blocks') return goal.amount >= MIN_STEP_SECONDS;
  return phase.ioUnit === 'blocks' && goal.amount >= operations * transfer.blockSizeBytes;
}

/** Random operations have one block to choose from. Sequential ones do not move on. */
function repeatFirstBlock(step: Step): Step {
  const { transfer, assignments } = step;
  const lengthBytes = operationBytes(step);
  return {
    ...step,
    transfer: { ...transfer, strideBytes: 0 },
    assignments: assignments.map(({ slices, tree }) => ({
      tree,
      slices: slices.map((slice) => ({ ...slice, lengthBytes })),
    })),
  };
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
