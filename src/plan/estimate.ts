import type { Phase } from '../../workers/phases/phase.js';
import type { Options } from '../options/options-schema.js';
import { sum } from '../report/statistics/statistics.js';
import { MB, MS_PER_SECOND } from '../text/units.js';
import { toDirectStep } from './direct-step.js';
import type { RunPlan } from './plan.js';
import { toRampStep } from './ramp-step.js';
import type { Step } from './steps.js';

const ALL_PERCENT = 100;

/** Examples for readers to compare their own disk with. */
// biome-ignore format: a row per disk
export const TYPICAL_DISKS = {
  hardDisk: { name: 'a hard disk at 150 MB/s', bytesPerSecond: 150 * MB, maxIops: 100, operationSeconds: 10e-3, syncSeconds: 20e-3 },
  sataSsd: { name: 'a SATA SSD at 500 MB/s', bytesPerSecond: 500 * MB, maxIops: 50_000, operationSeconds: 100e-6, syncSeconds: 1e-3 },
  nvmeSsd: { name: 'an NVMe SSD at 2000 MB/s', bytesPerSecond: 2000 * MB, maxIops: 500_000, operationSeconds: 80e-6, syncSeconds: 500e-6 },
};

type TypicalDisk = (typeof TYPICAL_DISKS)['hardDisk'];

/** True if the writes of a step end only with its time, so a fast disk writes more. */
export function hasOpenWrites({ phase, goal, transfer, maxOperationsPerWorker, beside }: Step): boolean {
  if (beside !== null) return !isRead(phase);
  const isOpen = goal.unit === 'seconds' && maxOperationsPerWorker === null;
  return phase.ioUnit === 'random-blocks' && isOpen && transfer.readPercent < ALL_PERCENT;
}

/**
 * Returns the bytes that the block tests of these runs write, unless a time limit stops them early. If only their time
 * ends them, these are the bytes that a SATA SSD writes, and those of a step beside another that `disk` writes.
 */
export function estimateWrittenBytes(plan: RunPlan, runs: number, disk = TYPICAL_DISKS.sataSsd): number {
  return sumSteps(plan, runs, (step) => {
    if (step.beside !== null) return besideBytes(step, plan, disk);
    const ramp = toRampStep(step, plan);
    return writtenBytes(step) + (ramp ? writtenBytes(ramp) : 0);
  });
}

/** Returns the most runs that options allow, without a comparison: more than --runs if they repeat until the results are stable. */
export function countMostRuns({ runs, maxRuns, untilStable }: Options): number {
  return untilStable === undefined ? runs : Math.max(runs, maxRuns);
}

/**
 * Returns the time of the steps in blocks and of the timed steps on a disk, without all other parts of a run. If the page cache
 * serves a step, the first run repeats it with direct I/O, and later runs are shorter than this.
 */
export function estimateSeconds(disk: TypicalDisk, plan: RunPlan, runs: number): number {
  const repetitions = sum(plan.steps.map((step) => repetitionSeconds(step, plan)));
  return repetitions + sumSteps(plan, runs, (step) => stepSeconds(step, disk));
}

/** The data is laid out once; every run repeats the steps. */
function sumSteps({ layout, steps }: RunPlan, runs: number, getAmount: (step: Step) => number): number {
  return (layout ? getAmount(layout) : 0) + runs * sum(steps.map(getAmount));
}

/** Returns the time of the step beside which a step runs. */
function besideSeconds({ beside }: Step, { steps }: RunPlan, disk: TypicalDisk): number {
  return sum(steps.filter(({ name }) => name === beside).map((step) => stepSeconds(step, disk)));
}

function stepSeconds(step: Step, disk: TypicalDisk): number {
  const { phase, goal, transfer, assignments, beside } = step;
  // It ends with the other step.
  if (beside !== null) return 0;
  if (isFullPass(step)) {
    const inFlight = assignments.length * transfer.depth;
    const syncs = isRead(phase) || !transfer.syncPerWrite ? 0 : goal.amount / transfer.blockSizeBytes;
    const seconds = goal.amount / disk.bytesPerSecond + (syncs * disk.syncSeconds) / inFlight;
    return Math.min(seconds, goal.timeLimitSeconds ?? Number.POSITIVE_INFINITY);
  }
  if (goal.unit !== 'seconds') return 0;
  return Math.min(goal.amount, maxOperations(step, Infinity) * secondsPerOperation(step, disk));
}

/** Returns the time of a random operation, while others are in flight. */
function secondsPerOperation({ transfer, assignments }: Step, disk: TypicalDisk): number {
  const { depth, intervalMs, ioSizeBytes } = transfer;
  const inFlight = assignments.length * depth;
  const pacedIops = intervalMs === null ? Infinity : (inFlight * MS_PER_SECOND) / intervalMs;
  const iops = Math.min(disk.maxIops, inFlight / disk.operationSeconds, pacedIops);
  return 1 / iops + ioSizeBytes / disk.bytesPerSecond;
}

/** Returns the time of the repetition with direct I/O, which random operations need if RAM holds the data. */
function repetitionSeconds({ goal, ...step }: Step, plan: RunPlan): number {
  const { machine, totalBytes } = plan;
  const isPaced = step.transfer.intervalMs !== null;
  if (goal.unit !== 'seconds' || isPaced || totalBytes > machine.memoryLimitBytes) return 0;
  // A dry run does not find out whether the filesystem accepts direct I/O. Most do.
  const target = { ...machine.target, acceptsDirect: machine.target.acceptsDirect ?? true };
  const planned = { ...plan, machine: { ...machine, target } };
  return toDirectStep({ goal, ...step }, planned, goal.amount)?.goal.amount ?? 0;
}

function writtenBytes(step: Step): number {
  const { phase, goal, transfer } = step;
  if (isFullPass(step)) return isRead(phase) ? 0 : goal.amount;
  const writePercent = ALL_PERCENT - transfer.readPercent;
  const open = hasOpenWrites(step) ? goal.amount / secondsPerOperation(step, TYPICAL_DISKS.sataSsd) : 0;
  return (maxOperations(step, open) * transfer.ioSizeBytes * writePercent) / ALL_PERCENT;
}

/** Returns what a disk writes beside another step. */
function besideBytes(step: Step, plan: RunPlan, disk: TypicalDisk): number {
  const { phase, transfer, assignments } = step;
  const pauseSeconds = (transfer.intervalMs ?? 0) / MS_PER_SECOND / assignments.length;
  if (isRead(phase)) return 0;
  const isStream = isFullPass(step);
  const operationBytes = isStream ? transfer.blockSizeBytes : transfer.ioSizeBytes;
  const moveSeconds = isStream ? operationBytes / disk.bytesPerSecond : secondsPerOperation(step, disk);
  const syncSeconds = transfer.syncPerWrite ? disk.syncSeconds / assignments.length : 0;
  const operations = besideSeconds(step, plan, disk) / Math.max(moveSeconds, syncSeconds, pauseSeconds);
  const writePercent = isStream ? ALL_PERCENT : ALL_PERCENT - transfer.readPercent;
  return (operations * operationBytes * writePercent) / ALL_PERCENT;
}

function maxOperations({ maxOperationsPerWorker, assignments }: Step, otherwise: number): number {
  return maxOperationsPerWorker === null ? otherwise : maxOperationsPerWorker * assignments.length;
}

function isRead({ name, dataset }: Phase): boolean {
  return name === 'read' || dataset === 'existing';
}

/** True for a step that moves its data once, in blocks. */
function isFullPass({ phase }: Step): boolean {
  return phase.ioUnit === 'blocks' && phase.runBy === 'threads';
}
