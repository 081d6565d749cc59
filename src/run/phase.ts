import { operationsPerStep, type Phase } from '../../workers/phases/phase.js';
import { durationSecondsOf, leastSteps, stonewallOf } from '../plan/stonewall.js';
import { mergeTallies } from '../report/measure/measurement.js';
import type { Measurement } from '../report/schema/report.js';
import type { FileLocation } from '../scratch/other-scratch.js';
import { display } from '../text/escape.js';
import { pluralize } from '../text/units.js';
import type { RunContext } from './context.js';
import type { Bounds, Team } from './crew/crew.js';
import type { Sample } from './crew/sampler.js';
import { phaseFailure } from './failure.js';
import { readCounters, usageBetween } from './kernel/counters.js';
import { SpaceWatch } from './space.js';
import { syncFiles } from './sync.js';

/** Measures one phase. Null when it was aborted: an unfinished phase has no figure. */
export async function measurePhase(
  phase: Phase,
  team: Team,
  run: number,
  context: RunContext,
): Promise<Measurement | null> {
  const { plan, scratch, sites, crew, cache, stalls, signal, onEvent, peers } = context;
  const site = sites.of(phase);
  if (signal.aborted) return null;
  const waiting = { pulse: () => crew.pulse(), words: () => positionText(phase, context) };
  const space = new SpaceWatch(phase, run, context);
  const onSample = (sample: Sample) => {
    space.look(sample);
    onEvent({ type: 'sample', run, phase: phase.name, ...sample });
  };
  if (phase.coldCache && cache.record.applied !== 'keep')
    onEvent({ type: 'activity', activity: 'emptying-cache' });
  const disk = plan.machine.target.disk?.diskstatsName ?? null;
  const perform = async (stop: AbortSignal) => {
    onEvent({ type: 'activity', activity: 'preparing' });
    await stalls.over({ words: waiting.words, pulse: () => space.looks }, space.begin());
    const prepared = await stalls.over(waiting, crew.prepare(phase, team, run));
    await peers.gate();
    const before = readCounters(disk);
    const performing = crew.perform(phase, prepared, boundsOf(phase, context), stop, onSample);
    const result = await stalls.over(waiting, performing);
    space.end();
    peers.began(result.gateNs);
    return { ...result, observed: usageBetween(before, readCounters(disk)) };
  };
  const { failures, ...result } = phase.coldCache
    ? await cache.during(sites.cached, signal, perform)
    : await perform(signal);
  if (failures.length > 0) {
    const named = failures.map((failure) => ({ ...failure, file: site.displayPath(failure.file) }));
    throw phaseFailure(phase, named, plan.transfer);
  }
  space.throwIfTaken();
  if (signal.aborted) return null;
  const { dataset, access } = phase;
  // In a directory that all share, others may have made more.
  if (result.cut && access === 'creates' && !plan.options.sharedDir)
    scratch.recordCreatedCount(dataset, Math.max(...result.tallies.map(({ operations }) => operations)));
  const durableNs = phase.durable ? await syncedNs(site, context) : null;
  const isCacheDropped = phase.coldCache && cache.record.applied === 'drop';
  return signal.aborted ? null : mergeTallies(phase, { ...result, durableNs, isCacheDropped }, plan);
}

function boundsOf(phase: Phase, { plan: { options, transfer }, peers }: RunContext): Bounds {
  const stonewall = stonewallOf(phase, options);
  return {
    durationSeconds: durationSecondsOf(phase, options),
    stonewall: stonewall && {
      ...stonewall,
      leastSteps: leastSteps(transfer),
      operationsPerStep: operationsPerStep(phase, transfer),
      furthest: (steps) => peers.furthest(steps),
    },
  };
}

/** Syncs all files and returns the time when they were on the device. */
async function syncedNs(site: FileLocation, { stalls, signal, onEvent }: RunContext): Promise<bigint> {
  onEvent({ type: 'activity', activity: 'syncing' });
  await syncFiles(site, stalls, signal);
  return process.hrtime.bigint();
}

/** What the phase waits for: the file and offset of the first worker that has not answered. */
function positionText(phase: Phase, { crew, sites }: RunContext): string {
  const { name } = phase;
  const [first, ...others] = crew.positions();
  if (!first) return name;
  const { file, positionBytes } = first;
  const place = `${name} in ${display(sites.of(phase).displayPath(file))}`;
  const offset = positionBytes === null ? '' : ` at offset ${positionBytes}`;
  return `${place}${offset}${others.length > 0 ? ` (and ${pluralize(others.length, 'more thread')})` : ''}`;
}
