import { getPhase } from '../../workers/phases/phase-catalogue.js';
import type { DataPattern, FileTree, Slice, Transfer } from '../../workers/protocol.js';
import type { Machine } from '../machine/machine-schema.js';
import { MAX_THREADS } from '../options/option-row.js';
import type { Options } from '../options/options-schema.js';
import type { Warning } from '../report/schema/report.js';
import { createWarning } from '../warnings/warning-catalogue.js';
import {
  assignWork,
  computeNeededBytes,
  countDataFiles,
  type JobPosition,
  layOutSlices,
  layOutTrees,
  rejectLargeTrees,
  rejectTooManyFiles,
  type ScratchLayout,
  zeroFillWarnings,
} from './files.js';
import { type IoMemoryLayout, layOutMemory, maxWorkers, rejectTooManyWorkers } from './memory-layout.js';
import { chooseBlockCount } from './size.js';
import { planStepList, shareSlice, toLayoutOptions } from './step-list.js';
import { resolvePhases, type Step, stepGoal } from './steps.js';
import { rejectCacheMode, rejectUnusableDirectory, targetWarnings } from './target.js';
import { largestSliceBytes, planTransfer, rejectLargeIo } from './transfer.js';

/** All decisions about a run, as printable data. Planning does not touch the disk. */
export interface RunPlan {
  /** The validated options, with defaults. */
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
  /** Their file names are relative to the scratch directory that the run will create. */
  readonly slices: readonly Slice[];
  /** The small files of each thread, named like the slices' files. */
  readonly trees: readonly FileTree[];
  readonly jobPosition: JobPosition;
  readonly scratchLayout: ScratchLayout;
  /** Writes the data that all steps use, unmeasured. Null if the steps include the creation of their data. */
  readonly layout: Step | null;
  /** In the order of measurement; a list of --step in another order for each run. */
  readonly steps: readonly Step[];
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
  const { rank, ranks } = jobPosition;
  const options = toLayoutOptions(requestedOptions);
  rejectUnusableDirectory(target);
  rejectCacheMode(options, machine);
  const content = chooseContent(options);
  const { threads, blockCount, warnings: amountWarnings } = chooseAmount(options, machine);
  const usesData = blockCount > 0;
  const usesTrees = phaseNames(options).some((name) => getPhase(name).dataset !== 'data');

  const totalBytes = blockCount * options.blockSize;
  const slices = usesData ? layOutSlices(blockCount, options.steps ? 1 : threads, options, jobPosition) : [];
  const allTrees = usesTrees ? layOutTrees(options, threads, ranks) : [];
  const firstOwnTree = options.sharedDir ? rank * threads : 0;
  const trees = allTrees.slice(firstOwnTree, firstOwnTree + threads);
  const randomStep = options.phases.find((name) => getPhase(name).ioUnit === 'random-blocks') ?? null;
  const { transfer, warnings: transferWarnings } = planTransfer(options, machine, slices, randomStep);
  if (usesData) rejectLargeIo(transfer.ioSizeBytes, slices);
  const phases = resolvePhases(phaseNames(options), transfer.byteWiseBytes >= largestSliceBytes(slices));
  const neededBytes = computeNeededBytes(options, phases, totalBytes);
  if (usesTrees) rejectLargeTrees(options, target, neededBytes);
  rejectTooManyFiles(target, phases, slices, trees);

  const byteWiseTotalBytes = slices.reduce(
    (sum, { lengthBytes }) => sum + Math.min(lengthBytes, transfer.byteWiseBytes),
    0,
  );
  const phaseSteps = phases.map((phase) => ({
    name: phase.name,
    title: phase.title,
    phase: phase.name,
    transfer,
    goal: stepGoal(phase, options, { totalBytes, byteWiseTotalBytes }),
    maxOperationsPerWorker: null,
    assignments: assignWork(phase, { slices, trees }, threads, options),
  }));
  const { layout, steps, warnings: stepWarnings } = planSteps(phaseSteps, slices, threads, options, machine);
  const workers = Math.max(...[...phaseSteps, ...steps].map(({ assignments }) => assignments.length));
  const ioMemoryLayout = layOutMemory(transfer, content.kind === 'stamped', workers, memoryLimitBytes);
  rejectTooManyWorkers({ workers, threads, steps: options.steps }, ioMemoryLayout, memoryLimitBytes);
  return {
    options,
    machine,
    directory: target.directory,
    threads,
    workers,
    totalBytes,
    neededBytes,
    byteWiseTotalBytes,
    slices,
    trees,
    jobPosition,
    // Rank 0 creates all shared files.
    scratchLayout: {
      files: options.sharedFile && rank > 0 ? 0 : countDataFiles(slices),
      trees: options.sharedDir && rank > 0 ? [] : allTrees,
    },
    layout,
    steps,
    transfer,
    content,
    ioMemoryLayout,
    warnings: [
      ...amountWarnings,
      ...transferWarnings,
      ...stepWarnings,
      ...targetWarnings(target, content),
      ...zeroFillWarnings(options, target, slices, jobPosition),
    ],
  };
}

/** Returns the phases that a list of options runs. A list of steps begins with a write that lays out its data. */
function phaseNames({ steps, phases }: Options): readonly string[] {
  return steps ? ['write'] : phases;
}

/** Returns the measured steps, and before a list of steps the write that lays out its data. */
function planSteps(
  phaseSteps: readonly Step[],
  [slice]: readonly Slice[],
  threads: number,
  options: Options,
  machine: Machine,
): Pick<RunPlan, 'layout' | 'steps' | 'warnings'> {
  const [write] = phaseSteps;
  if (!options.steps || !slice || !write) return { layout: null, steps: phaseSteps, warnings: [] };
  const transfer = { ...write.transfer, strideBytes: threads * options.blockSize };
  const assignments = shareSlice('write', transfer, {
    slice,
    threads,
    maxBytes: Number.POSITIVE_INFINITY,
  });
  return {
    layout: { ...write, name: 'layout', title: 'Layout', transfer, assignments },
    ...planStepList(options.steps, options, machine, slice, threads),
  };
}

/** Chooses the number of threads and the amount of data. Without a phase that uses data, there are no blocks. */
export function chooseAmount(
  options: Options,
  machine: Machine,
): { readonly threads: number; readonly blockCount: number; readonly warnings: readonly Warning[] } {
  const { memoryLimitBytes } = machine;
  const isStamped = chooseContent(options).kind === 'stamped';
  const wanted = options.threads ?? Math.min(machine.cores, MAX_THREADS);
  const threads =
    options.threads ?? Math.min(wanted, maxWorkers(transferSizes(options), isStamped, memoryLimitBytes));
  const facts = { wanted, threads, memoryBytes: memoryLimitBytes };
  const threadWarnings = threads < wanted ? [createWarning('threads-reduced', facts)] : [];
  const usesData = phaseNames(options).some((name) => getPhase(name).dataset === 'data');
  const size = usesData ? chooseBlockCount(options, machine, threads) : { blockCount: 0, warnings: [] };
  return { threads, blockCount: size.blockCount, warnings: [...threadWarnings, ...size.warnings] };
}

function transferSizes({ blockSize, ioSize, fileBlockSize = blockSize }: Options) {
  return { blockSizeBytes: blockSize, ioSizeBytes: ioSize, fileBlockBytes: fileBlockSize };
}

function chooseContent({ blockSize, unique, verify, compressible }: Options): DataPattern {
  const kind = unique || verify ? 'stamped' : 'same';
  return { kind, blockBytes: blockSize, verify, compressiblePercent: compressible };
}
