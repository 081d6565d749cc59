import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { LEAD_SECONDS } from '../plan/estimate.js';
import { workerGroup } from '../plan/requested-steps.js';
import type { Step } from '../plan/steps.js';
import { MS_PER_SECOND, NS_PER_SECOND } from '../text/units.js';
import { startCounting } from './kernel/counters.js';
import { watchWorkers } from './kernel/worker-watch.js';
import type { RunContext } from './run-context.js';

/**
 * Performs a step while others run beside it, each with threads and data of its own. They start first, until their load has
 * built up, and end when the step has ended. `perform` gets a signal that is aborted if `stop` is, or if one of them fails.
 */
export async function performBeside<Result>(
  others: readonly Step[],
  run: number,
  context: RunContext,
  stop: AbortSignal,
  perform: (stop: AbortSignal) => Promise<Result>,
) {
  const failure = new AbortController();
  const end = new AbortController();
  const signal = AbortSignal.any([stop, failure.signal]);
  // Every step listens to both signals.
  setMaxListeners(0, signal, end.signal);
  const prepared = await Promise.all(
    others.map(async (step) => {
      const own = contextOf(step, context);
      return { step, own, replies: await watchWorkers(step, own, own.workerPool.prepare(step, run)) };
    }),
  );
  const running = Promise.all(
    prepared.map(async ({ step, own, replies }) => {
      const count = startCounting(context.plan.machine.target);
      const performing = own.workerPool.perform(step, replies, signal, () => {}, end.signal);
      const progress = await watchWorkers(step, own, performing);
      if (progress.failures.length > 0) failure.abort();
      return { step, ...progress, counters: count() };
    }),
  );
  running.catch(() => failure.abort());
  if (others.length > 0) await delay(LEAD_SECONDS * MS_PER_SECOND, null, { signal }).catch(() => {});
  const leadEndNs = process.hrtime.bigint();
  let result: Result;
  try {
    result = await perform(signal);
  } finally {
    end.abort();
    await running;
  }
  const background = (await running).map((one) => ({
    ...one,
    leadSeconds: Number(leadEndNs - one.gateNs) / NS_PER_SECOND,
  }));
  return { result, background };
}

/** Returns the context of a step, with the threads that run it. */
export function contextOf(step: Step, context: RunContext): RunContext {
  const workerPool = context.workerPools[workerGroup(step)];
  if (!workerPool) throw new Error('a step was planned without threads');
  return { ...context, workerPool };
}
