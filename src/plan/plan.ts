import type { DataPattern } from '../../workers/protocol.js';
import type { Machine } from '../machine/machine-schema.js';
import { MAX_THREADS } from '../options/option-row.js';
import type { Options } from '../options/options-schema.js';
import type { Warning } from '../report/schema/report.js';
import { sum } from '../report/statistics/statistics.js';
import { createWarning } from '../warnings/warning-catalogue.js';
import { countWorkers, engineWarnings, maxDepth } from './engine.js';
import {
  computeFileBytes,
  type JobPosition,
  layOutFiles,
  rejectLargeFiles,
  rejectTooManyFiles,
  type ScratchLayout,
  zeroFillWarnings,
} from './files.js';
import { type IoMemoryLayout, layOutMemory, maxWorkers, rejectTooManyWorkers } from './memory-layout.js';
import { type PlannedData, planStep } from './plan-step.js';
import { listPhases, type RequestedSteps, requestSteps, workerGroup } from './requested-steps.js';
import { rejectPhasesWithoutFiles, type Step } from './steps.js';
import { chooseBlockCount, rejectCacheMode, rejectUnusableDirectory, targetWarnings } from './target.js';
import { ioSizeWarnings, planTransfer, rejectLargeIo } from './transfer.js';

/** All decisions about a run, as printable data. Planning does not touch the disk. */
export interface RunPlan extends PlannedData {
  /** The directory in which the run creates its temporary directory. */
  readonly directory: string;
  /** The number of threads of the steps, then of the first step that runs beside another, of the second, and so on. */
  readonly workerGroups: readonly number[];
  /** The maximum disk space that the run uses. */
  readonly neededBytes: number;
  /** Writes the data that all steps use, unmeasured. Null if the steps include the creation of their data. */
  readonly layout: Step | null;
  /** In the order of measurement; a list of --step in another order for each run. */
  readonly steps: readonly Step[];
  readonly jobPosition: JobPosition;
  readonly scratchLayout: ScratchLayout;
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
  const requested = requestSteps(requestedOptions);
  const { options, sharesData } = requested;
  if (!machine.sample) rejectUnusableDirectory(target);
  rejectCacheMode(options.cache, machine);
  rejectLargeFiles(requested, target);
  const content = chooseContent(options);
  const { threads, blockCount, warnings: amountWarnings } = chooseAmount(requested, machine);
  const totalBytes = blockCount * options.blockSize;
  const files = layOutFiles(requested, threads, blockCount, jobPosition);
  const { slices } = files;
  const transfer = planTransfer(options, machine, slices);
  rejectLargeIo(transfer.ioSizeBytes, slices);
  const byteWiseTotalBytes = sum(
    slices.map(({ lengthBytes }) => Math.min(lengthBytes, transfer.byteWiseBytes)),
  );
  rejectPhasesWithoutFiles(listPhases(requested), byteWiseTotalBytes === totalBytes);
  rejectTooManyFiles(target, requested, files);

  const base = {
    options,
    machine,
    directory: target.directory,
    threads,
    sharesData,
    totalBytes,
    neededBytes: computeFileBytes(requested) + totalBytes,
    byteWiseTotalBytes,
    ...files,
    jobPosition,
    transfer,
    content,
  };
  const layout = requested.layout && planStep(requested.layout, base);
  const steps = requested.steps.map((step) => planStep(step, base));
  const allSteps = layout ? [layout, ...steps] : steps;
  const workerGroups = countWorkersOfGroups(allSteps);
  const workers = sum(workerGroups);
  const slots = maxDepth(requested, machine);
  const ioMemoryLayout = layOutMemory({ ...transfer, slots }, content.kind === 'stamped', workers);
  rejectTooManyWorkers(workers, { threads, sharesData }, ioMemoryLayout, memoryLimitBytes);
  const warnings = [
    ...amountWarnings,
    ...ioSizeWarnings(steps, requested),
    ...engineWarnings(options, machine),
    ...targetWarnings(target, content, steps),
    ...zeroFillWarnings(options, target, slices, jobPosition),
  ];
  return { ...base, workerGroups, layout, steps, ioMemoryLayout, warnings };
}

/** Steps that run at the same time have threads of their own. */
function countWorkersOfGroups(steps: readonly Step[]): readonly number[] {
  const groups = 1 + Math.max(...steps.map(workerGroup));
  return Array.from({ length: groups }, (_, group) => {
    const own = steps.filter((step) => workerGroup(step) === group);
    return Math.max(...own.map(({ assignments }) => assignments.length));
  });
}

/** Chooses the number of threads and the amount of data. Without a phase that uses data, there are no blocks. */
export function chooseAmount(requested: RequestedSteps, machine: Machine) {
  const { options } = requested;
  const wanted = countWorkers(options.threads ?? Math.min(machine.cores, MAX_THREADS), options, machine);
  const threads = options.threads ? wanted : Math.min(wanted, maxWorkers(requested, machine));
  const facts = { wanted, threads, memoryBytes: machine.memoryLimitBytes };
  const warnings = threads < wanted ? [createWarning('threads-reduced', facts)] : [];
  if (listPhases(requested).every(({ dataset }) => dataset !== 'data'))
    return { threads, blockCount: 0, warnings };
  const size = chooseBlockCount(requested, machine, threads, computeFileBytes(requested));
  return { threads, blockCount: size.blockCount, warnings: [...warnings, ...size.warnings] };
}

function chooseContent({ blockSize, unique, verify, compressible }: Options): DataPattern {
  const kind = unique || verify ? 'stamped' : 'same';
  return { kind, blockBytes: blockSize, verify, compressiblePercent: compressible };
}
