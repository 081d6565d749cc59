import { sum } from '../report/statistics/statistics.js';
import { MB, MS_PER_SECOND } from '../text/units.js';
import { toDirectStep } from './direct-step.js';
import type { RunPlan } from './plan.js';
import { toRampStep } from './ramp-step.js';
import { operationBytes, type Step } from './steps.js';

const ALL_PERCENT = 100;
/** Time in s in which a load beside a step builds up: requests fill the queue, and a device uses up its burst credits. */
export const LEAD_SECONDS = 0.5;

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
  const isOpen =
    phase.ioUnit === 'random-blocks' && goal.unit === 'seconds' && maxOperationsPerWorker === null;
  return transfer.readPercent < ALL_PERCENT && (isOpen || beside !== null);
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

/**
 * Returns the time of the steps in blocks and of the timed steps on a disk, without all other parts of a run. If the page cache
 * serves a step, the first run repeats it with direct I/O, and later runs are shorter than this.
 */
export function estimateSeconds(disk: TypicalDisk, plan: RunPlan, runs: number): number {
  const repetitions = sum(plan.steps.map((step) => repetitionSeconds(step, plan)));
  return (
    repetitions +
    sumSteps(
      plan,
      runs,
      (step) => step.pauseSeconds + preparationSeconds(step, plan, disk) + stepSeconds(step, disk),
    )
  );
}

/** Returns the time in which the step itself, or the load beside it, makes the disk busy before the measurement. */
function preparationSeconds(step: Step, plan: RunPlan, disk: TypicalDisk): number {
  const ramp = step.beside === null ? toRampStep(step, plan) : null;
  const hasLoad = plan.steps.some(({ beside }) => beside === step.name);
  return (ramp ? stepSeconds(ramp, disk) : 0) + (hasLoad ? LEAD_SECONDS : 0);
}

/** The data is laid out once; every run repeats the steps. */
function sumSteps({ layout, steps }: RunPlan, runs: number, getAmount: (step: Step) => number): number {
  return (layout ? getAmount(layout) : 0) + runs * sum(steps.map(getAmount));
}

function stepSeconds(step: Step, disk: TypicalDisk): number {
  const { goal, transfer, beside } = step;
  // It ends with the other step.
  if (beside !== null) return 0;
  if (isFullPass(step)) {
    const seconds = (goal.amount / transfer.blockSizeBytes) * secondsPerOperation(step, disk);
    return Math.min(seconds, goal.timeLimitSeconds ?? Infinity);
  }
  if (goal.unit !== 'seconds') return 0;
  return Math.min(goal.amount, maxOperations(step, Infinity) * secondsPerOperation(step, disk));
}

/** Returns the time of an operation, while others are in flight. Random operations overlap, but not their transfers. */
function secondsPerOperation(step: Step, disk: TypicalDisk): number {
  const { transfer, assignments } = step;
  const inFlight = assignments.length * transfer.depth;
  const accessSeconds = isFullPass(step) ? 0 : Math.max(1 / disk.maxIops, disk.operationSeconds / inFlight);
  const moveSeconds = accessSeconds + operationBytes(step) / disk.bytesPerSecond;
  const isSynced = transfer.syncPerWrite !== null && transfer.readPercent < ALL_PERCENT;
  const syncSeconds = isSynced ? disk.syncSeconds / inFlight : 0;
  return Math.max(moveSeconds, syncSeconds, (transfer.intervalMs ?? 0) / MS_PER_SECOND / inFlight);
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
  if (isFullPass(step)) return step.goal.amount * writeShare(step);
  const open = hasOpenWrites(step) ? step.goal.amount / secondsPerOperation(step, TYPICAL_DISKS.sataSsd) : 0;
  return maxOperations(step, open) * operationBytes(step) * writeShare(step);
}

/** Returns the bytes that a disk writes until the other step ends. */
function besideBytes(step: Step, plan: RunPlan, disk: TypicalDisk): number {
  const other = plan.steps.find(({ name }) => name === step.beside);
  const seconds = other ? stepSeconds(other, disk) + preparationSeconds(other, plan, disk) : 0;
  return (seconds / secondsPerOperation(step, disk)) * operationBytes(step) * writeShare(step);
}

/** Returns the share of the operations that write. A rewrite writes every block that it reads. */
function writeShare({ phase, transfer: { readPercent } }: Step): number {
  return phase.name === 'rewrite' ? 1 : 1 - readPercent / ALL_PERCENT;
}

function maxOperations({ maxOperationsPerWorker, assignments }: Step, otherwise: number): number {
  return maxOperationsPerWorker === null ? otherwise : maxOperationsPerWorker * assignments.length;
}

/** True for a step that moves its data once, in blocks. */
function isFullPass({ phase }: Step): boolean {
  return phase.ioUnit === 'blocks' && phase.runBy === 'threads';
}
