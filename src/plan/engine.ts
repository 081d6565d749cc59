import { optionError } from '../errors.js';
import type { Machine } from '../machine/machine-schema.js';
import { MAX_THREADS } from '../options/option-row.js';
import type { Options } from '../options/options-schema.js';
import type { Warning } from '../report/schema/report.js';
import { pluralize } from '../text/units.js';
import { createWarning } from '../warnings/warning-catalogue.js';
import { type RequestedSteps, requestSteps } from './requested-steps.js';

type EngineOptions = Pick<Options, 'engine' | 'depth'>;

/** Returns the loads of the run, of its seeks and of its steps. */
function listLoads({ options, steps }: RequestedSteps): readonly Options[] {
  return [options, { ...options, threads: options.seekThreads }, ...steps.map((step) => step.options)];
}

/** Returns the loads that use io_uring if they can. */
export function listUringLoads(options: Options) {
  return listLoads(requestSteps(options)).filter(prefersUring);
}

function prefersUring({ engine, depth }: EngineOptions): boolean {
  return engine === 'uring' || (engine === 'auto' && depth > 1);
}

/** Chooses the engine, and the number of requests that each worker has in flight. */
export function planEngine({ engine, depth }: EngineOptions, { uringProblem }: Machine) {
  if (engine === 'uring' && uringProblem)
    throw optionError(
      // It may be the engine of a step.
      `the engine uring does not work here: ${uringProblem}`,
      'leave it out: the default, auto, then uses a thread for each request',
    );
  const isUring = prefersUring({ engine, depth }) && !uringProblem;
  if (isUring) return { engine: 'uring' as const, depth };
  return { engine: engine === 'auto' ? ('threads' as const) : engine, depth: 1 };
}

/** Returns the largest number of requests that a worker has in flight, in the run or in one of its steps. */
export function maxDepth(requested: RequestedSteps, machine: Machine): number {
  return Math.max(...listLoads(requested).map((load) => planEngine(load, machine).depth));
}

/** Returns the number of workers. With the threads engine, each request in flight needs a worker of its own. */
export function countWorkers(threads: number, options: EngineOptions, machine: Machine): number {
  const workers = threads * (options.depth / planEngine(options, machine).depth);
  if (workers <= MAX_THREADS || options.depth === 1) return workers;
  throw optionError(
    // It may be the depth of a step.
    `without io_uring, a depth of ${options.depth} would need ${pluralize(workers, 'thread')}`,
    `use a depth of at most ${Math.max(1, Math.floor(MAX_THREADS / threads))}`,
  );
}

/** A warning if --depth is reached with threads. The tables of steps say so themselves. */
export function engineWarnings(options: Options, { uringProblem }: Machine): readonly Warning[] {
  return prefersUring(options) && uringProblem
    ? [createWarning('uring-unavailable', { reason: uringProblem })]
    : [];
}
