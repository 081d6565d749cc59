import { getPhase } from '../../workers/phases/phase-catalogue.js';
import type { RunPlan } from '../plan/plan.js';
import type { Step } from '../plan/steps.js';
import { isServedByDevice, primaryRateOf } from '../report/rate.js';
import { allMeasurements } from '../report/runs.js';
import type { MemoryCeiling, Report } from '../report/schema/report.js';
import { minMax, sum } from '../report/statistics/statistics.js';
import { display } from '../text/escape.js';
import { MIB, MS_PER_SECOND } from '../text/units.js';
import { cachedStep, isPaced, measureCachedPass } from './cached-pass.js';
import type { RunContext } from './run-context.js';

/** Maximum duration of the first pass, and of all attempts of a step. */
const STEP_SECONDS = 0.1;
/** Maximum duration as a share of the measured time, to keep a short run short. */
const STEP_SHARE = 0.1;
/** Attempts per step: other programs disturb some, so the best one counts. Up to double if the result was faster. */
const TRIES = 4;
/** A step's attempts end after the time of this many: many threads or a busy machine slow the preparation down. */
const MAX_STEP_TRIES = 6;
/** If cached reads are much slower than the result, every attempt was disturbed. */
const MIN_SHARE = 0.5;
/** Data for the random operations. Some of them write, and a network filesystem sends that data on close. */
const RANDOM_BYTES = 16 * MIB;

/**
 * Measures how fast the reading steps are on data that is in the page cache because it was just read: the rate of the
 * loop without a disk. Uses the page cache even with --direct, and syncs nothing. Call after the last step, to disturb
 * none. Returns null without these steps, if other processes may still be measuring, after a failure, and after an
 * abort.
 */
export async function measureMemoryCeiling(context: RunContext): Promise<MemoryCeiling | null> {
  const { plan, report, signal, beforeStep, fileLocations } = context;
  const readingSteps = findReadingSteps(plan);
  const [firstStep] = readingSteps;
  if (beforeStep || !firstStep) return null;
  const measurements = allMeasurements(report);
  const measuredSeconds = sum(measurements.map(({ seconds }) => seconds));
  const maxSeconds = Math.min(STEP_SECONDS, measuredSeconds * STEP_SHARE);
  // Read for a while: little data from a disk, but from RAM more than the CPU's caches hold, as in the step.
  const wholeStep = fileLocations.locate(plan.layout ?? firstStep);
  const first = await measurePass(cachedStep({ ...wholeStep, phase: getPhase('read') }, maxSeconds), context);
  if (first === null || signal.aborted) return null;
  const ceilings: MemoryCeiling = [];
  for (const step of readingSteps) {
    const measurement = measurements.find((one) => one.step === step.name);
    if (!measurement) continue;
    const cached = fileLocations.locate(step, cachedAmounts(step, first.readBytes, plan));
    const attempt = cachedStep(cached, maxSeconds / TRIES);
    const perSecond = await measureBest(attempt, primaryRateOf(measurement), context);
    if (perSecond !== null) ceilings.push({ step: step.name, perSecond });
  }
  const raised = raiseCeilings(ceilings, report);
  return raised.length > 0 && !signal.aborted ? raised : null;
}

/** Returns the unpaced steps that read, without those beside another. None if the files no longer hold the data. */
function findReadingSteps({ steps, layout }: RunPlan): readonly Step[] {
  const creator = (layout ? [layout, ...steps] : steps).findLast(
    ({ phase }) => phase.dataset === 'data' && phase.access === 'creates',
  );
  if (creator?.phase.ioUnit !== 'blocks') return [];
  return steps.filter(({ phase, transfer, isAlone }) => {
    if (!isAlone || phase.dataset !== 'data' || isPaced(transfer)) return false;
    return phase.name === 'read' || (phase.ioUnit === 'random-blocks' && transfer.readPercent > 0);
  });
}

/** Returns how many bytes of each thread's data a step uses: those that were just read, but enough for an operation. */
function cachedAmounts(step: Step, readBytes: readonly number[], { layout }: RunPlan): readonly number[] {
  const layoutBlockBytes = (layout ?? step).transfer.blockSizeBytes;
  const minBytes = Math.max(layoutBlockBytes, step.transfer.ioSizeBytes);
  const blocks = Math.floor(RANDOM_BYTES / readBytes.length / layoutBlockBytes);
  const maxBytes = step.phase.name === 'read' ? Number.POSITIVE_INFINITY : blocks * layoutBlockBytes;
  return readBytes.map((bytes) => Math.max(minBytes, Math.min(bytes, maxBytes)));
}

/** Returns the best rate. Null if every attempt was disturbed. */
async function measureBest(step: Step, resultPerSecond: number, context: RunContext): Promise<number | null> {
  const endMs = performance.now() + MAX_STEP_TRIES * step.goal.amount * MS_PER_SECOND;
  let best = 0;
  for (let tries = 0; tries < 2 * TRIES && !context.signal.aborted; tries++) {
    const isLate = tries > 0 && performance.now() > endMs;
    if (isLate || (tries >= TRIES && best >= resultPerSecond)) break;
    const attempt = await measurePass(step, context);
    if (attempt === null) return null;
    best = Math.max(best, attempt.perSecond);
  }
  return best >= resultPerSecond * MIN_SHARE ? best : null;
}

/**
 * Returns the ceilings, raised to the results of faster runs. Omits a ceiling below a rate of the device: every attempt
 * was disturbed.
 */
export function raiseCeilings(ceilings: MemoryCeiling, report: Report): MemoryCeiling {
  return ceilings.flatMap(({ step, perSecond }) => {
    const faster = allMeasurements(report).filter(
      (one) => one.step === step && primaryRateOf(one) > perSecond,
    );
    if (faster.some(({ device }) => isServedByDevice(device.share))) return [];
    return { step, perSecond: minMax([perSecond, ...faster.map(primaryRateOf)]).max };
  });
}

/** The report is complete without this rate, so a failure does not end the run. Returns null then. */
async function measurePass(step: Step, context: RunContext) {
  const operation = `the measurement of cached reads in ${display(context.scratch.directory.path)}`;
  const pass = await context.stallDetector.watch(operation, measureCachedPass(step, context));
  return pass.failures.length > 0 ? null : pass;
}
