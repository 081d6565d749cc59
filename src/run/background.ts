import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { WorkerFailure } from '../../workers/protocol.js';
import { type Step, workerGroup } from '../plan/steps.js';
import type { PhaseCounters } from '../report/measure/measurement.js';
import { MS_PER_SECOND, NS_PER_SECOND } from '../text/units.js';
import { startCounting } from './kernel/counters.js';
import { watchWorkers } from './kernel/worker-watch.js';
import type { RunContext } from './run-context.js';
import type { StepProgress } from './worker-pool/worker-pool.js';

/** The time in which the load of the background builds up: requests fill the queue, and a device uses up what it has saved. */
const LEAD_SECONDS = 0.5;

/** A step that ran beside another. */
export interface BackgroundResult extends StepProgress {
  readonly step: Step;
  readonly failures: readonly WorkerFailure[];
  readonly counters: PhaseCounters;
  readonly leadSeconds: number;
}

/**
 * Starts steps that run beside another, each with threads and data of its own, and waits until their load has built up.
 * `signal` of the result is aborted if `stop` is, or if one of them fails. They go on until `finish` ends them.
 */
export async function startBackground(
  steps: readonly Step[],
  run: number,
  context: RunContext,
  stop: AbortSignal,
) {
  const failure = new AbortController();
  const end = new AbortController();
  const signal = AbortSignal.any([stop, failure.signal]);
  // Every step listens to it.
  setMaxListeners(0, signal, end.signal);
  const prepared = await Promise.all(
    steps.map(async (step) => {
      const own = contextOf(step, context);
      return { step, own, replies: await watchWorkers(step, own, own.workerPool.prepare(step, run)) };
    }),
  );
  const running = prepared.map(async ({ step, own, replies }) => {
    const count = startCounting(context.plan.machine.target);
    const performing = own.workerPool.perform(step, replies, signal, () => {}, end.signal);
    try {
      const result = await watchWorkers(step, own, performing);
      if (result.failures.length > 0) failure.abort();
      return { step, ...result, counters: count() };
    } catch (error) {
      failure.abort();
      throw error;
    }
  });
  const results = Promise.all(running);
  // It may reject before `finish` awaits it.
  results.catch(() => {});
  if (steps.length > 0) await delay(LEAD_SECONDS * MS_PER_SECOND, null, { signal }).catch(() => {});
  const leadEndNs = process.hrtime.bigint();
  return {
    signal,
    async finish(): Promise<readonly BackgroundResult[]> {
      end.abort();
      return (await results).map((result) => ({
        ...result,
        leadSeconds: Number(leadEndNs - result.gateNs) / NS_PER_SECOND,
      }));
    },
  };
}

/** Returns the context of a step, with the threads that run it. */
export function contextOf(step: Step, context: RunContext): RunContext {
  const workerPool = context.workerPools[workerGroup(step)];
  if (!workerPool) throw new Error('a step was planned without threads');
  return { ...context, workerPool };
}
