import type { Phase } from '../../workers/phases/phase.js';
import type { Slice } from '../../workers/protocol.js';
import type { Plan } from '../plan.js';
import { measure } from '../report/measurement.js';
import type { Measurement } from '../report/report.js';
import { readAccounts, spentBetween } from './accounts.js';
import type { Crew } from './crew.js';
import { phaseFailure } from './failure.js';
import type { PageCache } from './page-cache.js';
import type { Scratch } from './scratch.js';
import { syncFiles } from './sync.js';

/** What a phase is measured with. */
export interface Laboratory {
  readonly plan: Plan;
  readonly scratch: Scratch;
  readonly crew: Crew;
  readonly cache: PageCache;
  readonly signal: AbortSignal;
}

/** One phase. Null when it was aborted: an unfinished phase has no figure. */
export async function measurePhase(
  phase: Phase,
  team: readonly (readonly Slice[])[],
  run: number,
  lab: Laboratory,
): Promise<Measurement | null> {
  const { plan, scratch, crew, cache, signal } = lab;
  if (signal.aborted) return null;
  const cold = phase.coldCache ? await cache.keepEmpty(scratch.files, signal) : null;
  const stop = cold ? AbortSignal.any([signal, cold.fault]) : signal;
  const disk = plan.machine.target.disk?.statName ?? null;
  try {
    const preparation = await crew.prepare(phase, team, run);
    const before = readAccounts(disk);
    const result = await crew.perform(preparation, plan.options.iopsDuration, stop);
    const observed = spentBetween(before, readAccounts(disk));
    // A sync that is still under way may yet fail, and then there is no figure.
    await cold?.stop();
    cold?.fault.throwIfAborted();
    if (result.state === 'failed') throw phaseFailure(phase, result.failures, plan.transfer);
    if (result.state === 'stopped') return null;
    const durableNs = phase.durable ? await syncedNs(scratch, signal) : null;
    return signal.aborted ? null : measure(phase, { ...result, observed, durableNs }, plan);
  } finally {
    await cold?.stop();
  }
}

/** The moment at which everything is on the device. */
async function syncedNs({ files }: Scratch, signal: AbortSignal): Promise<bigint> {
  await syncFiles(files, signal);
  return process.hrtime.bigint();
}
