import type { Transfer } from '../../workers/protocol.js';
import type { Step } from '../plan/steps.js';
import { slowestSeconds } from '../report/measure/elapsed.js';
import { sum } from '../report/statistics/statistics.js';
import type { RunContext } from './run-context.js';

/** Returns a step that does the same work through the page cache, and syncs nothing. */
export function cachedStep(
  step: Step,
  maxSeconds: number,
  maxOperationsPerWorker: number | null = null,
): Step {
  const transfer = { ...step.transfer, direct: false, fsync: false };
  return { ...step, transfer, goal: { unit: 'seconds', amount: maxSeconds }, maxOperationsPerWorker };
}

/** True if pauses set the pace or, with a sync after each write, the device, even in the page cache. */
export function isPaced({ syncPerWrite, readPercent, intervalMs }: Transfer): boolean {
  return intervalMs !== null || (syncPerWrite !== null && readPercent < 100);
}

/** Runs a cached step until its work is done or the time is over. */
export async function measureCachedPass(step: Step, { workerPool, signal, report }: RunContext) {
  const prepared = await workerPool.prepare(step, report.runs.length);
  const { tallies, failures, gateNs } = await workerPool.perform(step, prepared, signal, () => {});
  const seconds = slowestSeconds(step.name, tallies, gateNs, step.transfer.depth);
  const readBytes = tallies.map((tally) => tally.readBytes);
  const operations = tallies.map((tally) => tally.operations);
  const perSecond = sum(step.phase.primaryRate === 'bytes' ? readBytes : operations) / seconds;
  return { failures, readBytes, operations, perSecond };
}
