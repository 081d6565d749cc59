import type { Phase } from '../../workers/phases/phase.js';
import { getPhase } from '../../workers/phases/phase-catalogue.js';
import type { DataPattern, Transfer } from '../../workers/protocol.js';
import type { Machine } from '../machine/machine-schema.js';
import { MAX_THREADS } from '../options/option-row.js';
import type { Options } from '../options/options-schema.js';
import type { Warning } from '../report/schema/report.js';
import { sum } from '../report/statistics/statistics.js';
import { createWarning } from '../warnings/warning-catalogue.js';
import { countWorkers, engineWarnings, maxDepth } from './engine.js';
import {
  assignWork,
  computeNeededBytes,
  type JobPosition,
  layOutFiles,
  type PlannedFiles,
  rejectLargeFiles,
  rejectTooManyFiles,
  type ScratchLayout,
  zeroFillWarnings,
} from './files.js';
import { type IoMemoryLayout, layOutMemory, maxWorkers, rejectTooManyWorkers } from './memory-layout.js';
import { planStep, shareSlice, toLayoutOptions } from './step-list.js';
import { type PlannedSteps, rejectPhasesWithoutFiles, stepGoal } from './steps.js';
import { chooseBlockCount, rejectCacheMode, rejectUnusableDirectory, targetWarnings } from './target.js';
import { ioSizeWarnings, planTransfer, rejectLargeIo } from './transfer.js';

/** All decisions about a run, as printable data. Planning does not touch the disk. */
export interface RunPlan extends PlannedFiles, PlannedSteps {
  readonly options: Options;
  readonly machine: Machine;
  /** The directory in which the run creates its temporary directory. */
  readonly directory: string;
  readonly threads: number;
  /** The number of threads, or of seek threads if that is larger. */
  readonly workers: number;
  /** The size of the test data. 0 if only small files are measured. */
  readonly totalBytes: number;
  /** The maximum disk space that the run uses. */
  readonly neededBytes: number;
  /** The part of `totalBytes` that putc and getc move. */
  readonly byteWiseTotalBytes: number;
  readonly jobPosition: JobPosition;
  readonly scratchLayout: ScratchLayout;
  readonly transfer: Transfer;
  readonly content: DataPattern;
  readonly ioMemoryLayout: IoMemoryLayout;
  readonly warnings: readonly Warning[];
}

export function plan(
  requestedOptions: Options,
  machine: Machine,
  jobPosition: JobPosition = { rank: 0, ranks: 1 },
): RunPlan {
  const { target, memoryLimitBytes } = machine;
  const options = toLayoutOptions(requestedOptions);
  rejectUnusableDirectory(target);
  rejectCacheMode(options.cache, machine);
  const phases = namedPhases(options);
  const content = chooseContent(options);
  const { threads, blockCount, warnings: amountWarnings } = chooseAmount(options, machine);
  const totalBytes = blockCount * options.blockSize;
  const files = layOutFiles(options, phases, threads, blockCount, jobPosition);
  const { slices } = files;
  const transfer = planTransfer(options, machine, slices);
  rejectLargeIo(transfer.ioSizeBytes, slices);
  const byteWiseTotalBytes = sum(
    slices.map(({ lengthBytes }) => Math.min(lengthBytes, transfer.byteWiseBytes)),
  );
  rejectPhasesWithoutFiles(phases, byteWiseTotalBytes === totalBytes);
  const neededBytes = computeNeededBytes(options, phases, totalBytes);
  rejectLargeFiles(options, files, target, neededBytes);
  rejectTooManyFiles(target, phases, files, options);

  const base = {
    options,
    machine,
    directory: target.directory,
    threads,
    totalBytes,
    neededBytes,
    byteWiseTotalBytes,
    ...files,
    jobPosition,
    transfer,
    content,
  };
  const { layout, steps } = planSteps(phases, base);
  const allSteps = layout ? [layout, ...steps] : steps;
  const workers = Math.max(...allSteps.map(({ assignments }) => assignments.length));
  const slots = maxDepth(options, machine);
  const ioMemoryLayout = layOutMemory({ ...transfer, slots }, content.kind === 'stamped', workers);
  rejectTooManyWorkers(workers, threads, options, ioMemoryLayout, memoryLimitBytes);
  const warnings = [
    ...amountWarnings,
    ...ioSizeWarnings(steps, options),
    ...engineWarnings(options, machine),
    ...targetWarnings(target, content),
    ...zeroFillWarnings(options, target, slices, jobPosition),
  ];
  return { ...base, workers, layout, steps, ioMemoryLayout, warnings };
}

/** Returns the phases of the options. A list of steps begins with a write that lays out its data. */
function namedPhases({ steps, phases }: Options): readonly Phase[] {
  return (steps ? ['write'] : phases).map(getPhase);
}

/** Returns the measured steps, and before a list of steps the write that lays out its data. */
function planSteps(
  phases: readonly Phase[],
  plan: Omit<RunPlan, keyof PlannedSteps | 'workers' | 'ioMemoryLayout' | 'warnings'>,
): PlannedSteps {
  const { options, machine, threads, slices } = plan;
  const phaseSteps = phases.map((phase) => ({
    name: phase.name,
    title: phase.title,
    phase,
    transfer: plan.transfer,
    goal: stepGoal(phase, options, phase.ioUnit === 'bytes' ? plan.byteWiseTotalBytes : plan.totalBytes),
    maxOperationsPerWorker: null,
    assignments: assignWork(phase, plan, threads, options, machine),
  }));
  const [write] = phaseSteps;
  const [slice] = slices;
  if (!options.steps || !slice || !write) return { layout: null, steps: phaseSteps };
  const transfer = { ...write.transfer, strideBytes: threads * options.blockSize };
  const assignments = shareSlice(write.phase, transfer, slice, threads);
  // Without io_uring, the threads of the run include its depth, and each step has its own.
  const stepThreads = Math.max(1, Math.floor((threads * plan.transfer.depth) / options.depth));
  const createsData = options.steps.every(({ phase }) => phase === 'write-new');
  return {
    layout: createsData ? null : { ...write, name: 'layout', title: 'Layout', transfer, assignments },
    steps: options.steps.map((step) => planStep(step, options, machine, slice, stepThreads)),
  };
}

/** Chooses the number of threads and the amount of data. Without a phase that uses data, there are no blocks. */
export function chooseAmount(options: Options, machine: Machine) {
  const wanted = countWorkers(options.threads ?? Math.min(machine.cores, MAX_THREADS), options, machine);
  const threads = options.threads ? wanted : Math.min(wanted, maxWorkers(options, machine));
  const facts = { wanted, threads, memoryBytes: machine.memoryLimitBytes };
  const warnings = threads < wanted ? [createWarning('threads-reduced', facts)] : [];
  if (namedPhases(options).every(({ dataset }) => dataset !== 'data'))
    return { threads, blockCount: 0, warnings };
  const size = chooseBlockCount(options, machine, threads);
  return { threads, blockCount: size.blockCount, warnings: [...warnings, ...size.warnings] };
}

function chooseContent({ blockSize, unique, verify, compressible }: Options): DataPattern {
  const kind = unique || verify ? 'stamped' : 'same';
  return { kind, blockBytes: blockSize, verify, compressiblePercent: compressible };
}
