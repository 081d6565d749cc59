import type { Phase } from '../../workers/phases/phase.js';
import type { Plan } from '../plan/plan.js';
import type { RunEvent } from '../report/events/event.js';
import { measure } from '../report/measure/measurement.js';
import type { Measurement } from '../report/schema/report.js';
import type { Scratch } from '../scratch/scratch.js';
import { shown } from '../text/escape.js';
import type { PageCache } from './cache/page-cache.js';
import type { Crew, Team } from './crew/crew.js';
import type { Sample } from './crew/sampler.js';
import { phaseFailure } from './failure.js';
import { readAccounts, spentBetween } from './kernel/counters.js';
import type { Stalls } from './kernel/stalls.js';
import { syncFiles } from './sync.js';

/** What a phase is measured with. */
export interface Laboratory {
  readonly plan: Plan;
  readonly scratch: Scratch;
  readonly crew: Crew;
  readonly cache: PageCache;
  readonly stalls: Stalls;
  readonly signal: AbortSignal;
  readonly onEvent: (event: RunEvent) => void;
}

/** One phase. Null when it was aborted: an unfinished phase has no figure. */
export async function measurePhase(
  phase: Phase,
  team: Team,
  run: number,
  lab: Laboratory,
): Promise<Measurement | null> {
  const { plan, scratch, crew, cache, stalls, signal, onEvent } = lab;
  const work = { pulse: () => crew.pulse(), words: () => whereabouts(phase, lab) };
  const onSample = (sample: Sample) => onEvent({ type: 'sample', run, phase: phase.name, ...sample });
  if (signal.aborted) return null;
  if (phase.coldCache && cache.record.done !== 'keep') onEvent({ type: 'chore', chore: 'emptying-cache' });
  const cold = phase.coldCache ? await cache.keepEmpty(scratch, signal) : null;
  const stop = cold ? AbortSignal.any([signal, cold.fault]) : signal;
  const disk = plan.machine.target.disk?.statName ?? null;
  try {
    onEvent({ type: 'chore', chore: 'preparing' });
    const preparation = await stalls.over(work, crew.prepare(phase, team, run));
    const before = readAccounts(disk);
    const result = await stalls.over(
      work,
      crew.perform(preparation, plan.options.iopsDuration, stop, onSample),
    );
    const observed = spentBetween(before, readAccounts(disk));
    // A sync that is still under way may yet fail, and then there is no figure.
    await cold?.stop();
    cold?.fault.throwIfAborted();
    if (result.state === 'failed') {
      const failures = result.failures.map((failure) => ({ ...failure, file: scratch.named(failure.file) }));
      throw phaseFailure(phase, failures, plan.transfer);
    }
    if (result.state === 'stopped') return null;
    const durableNs = phase.durable ? await syncedNs(lab) : null;
    return signal.aborted ? null : measure(phase, { ...result, observed, durableNs }, plan);
  } finally {
    await cold?.stop();
  }
}

/** The moment at which everything is on the device. */
async function syncedNs({ scratch, stalls, signal, onEvent }: Laboratory): Promise<bigint> {
  onEvent({ type: 'chore', chore: 'syncing' });
  await syncFiles(scratch, stalls, signal);
  return process.hrtime.bigint();
}

/** What the phase waits for, of one worker of those that wait. */
function whereabouts({ name }: Phase, { crew, scratch }: Laboratory): string {
  const [first, ...others] = crew.whereabouts();
  if (!first) return name;
  const { file, positionBytes } = first;
  const where = `${name} in ${shown(scratch.named(file))}`;
  const at = positionBytes === null ? '' : ` at offset ${positionBytes}`;
  return `${where}${at}${others.length > 0 ? ` (and ${others.length} more of the threads)` : ''}`;
}
