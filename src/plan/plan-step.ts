import { countProjectFiles } from '../../workers/files/project-tree.js';
import type { Phase } from '../../workers/phases/phase.js';
import type { Assignment, Transfer } from '../../workers/protocol.js';
import { Random } from '../../workers/random.js';
import { optionError } from '../errors.js';
import type { Machine } from '../machine/machine-schema.js';
import { MAX_THREADS } from '../options/option-row.js';
import type { NamedStep, Options } from '../options/options-schema.js';
import { isSupportedOn } from '../options/platform-support.js';
import type { StepGoal } from '../report/events/event-record.js';
import { sum } from '../report/statistics/statistics.js';
import { flag, msg } from '../text/message-template.js';
import { formatBytes } from '../text/units.js';
import { countWorkers } from './engine.js';
import { assignWork, type PlannedFiles } from './files.js';
import { maxWorkers } from './memory-layout.js';
import { type RequestedStep, requestSteps, type StepFacts } from './requested-steps.js';
import { shareSlices, stepSlices } from './slices.js';
import type { Step } from './steps.js';
import { planTransfer } from './transfer.js';

/** The part of a plan that its steps need. */
export interface PlannedData extends PlannedFiles {
  readonly options: Options;
  readonly machine: Machine;
  readonly threads: number;
  /** True if all steps use the same data. Otherwise, each thread has its own. */
  readonly sharesData: boolean;
  /** The size of the test data. 0 if only small files are measured. */
  readonly totalBytes: number;
  /** The part of `totalBytes` that putc and getc move. */
  readonly byteWiseTotalBytes: number;
  readonly transfer: Transfer;
}

export function planStep(requested: RequestedStep, data: PlannedData): Step {
  // The work has the settings.
  const { options, syncPerWrite, intervalMs, maxBytes, index, ...facts } = requested;
  return { ...facts, ...planWork(requested, data) };
}

/** What a step does with its data. */
type StepWork = Omit<Step, keyof StepFacts>;

function planWork(requested: RequestedStep, data: PlannedData): StepWork {
  const { phase, options, index } = requested;
  const { readPercent = options.mix } = phase;
  const planned = { ...planTransfer(options, data.machine, data.slices), readPercent };
  if (phase.dataset === 'existing') return planExistingFiles(requested, planned, data);
  if (data.sharesData && phase.dataset === 'data') return planSharedData(requested, planned, data);
  const bytes = phase.ioUnit === 'bytes' ? data.byteWiseTotalBytes : data.totalBytes;
  return {
    transfer: planned,
    goal: stepGoal(phase, options, bytes),
    maxOperationsPerWorker: null,
    assignments: assignWork(phase, data, data.threads, options, data.machine, index),
  };
}

function planExistingFiles(
  { phase, options }: RequestedStep,
  planned: Transfer,
  { machine: { sample = [], platform } }: PlannedData,
): StepWork {
  const direct = phase.name === 'second-read' && isSupportedOn('direct', platform);
  return {
    transfer: { ...planned, direct },
    goal: stepGoal(phase, options, sum(sample.map(({ lengthBytes }) => lengthBytes))),
    maxOperationsPerWorker: null,
    assignments: [{ slices: sample, tree: null }],
  };
}

function planSharedData(requested: RequestedStep, planned: Transfer, data: PlannedData): StepWork {
  const { phase, options, syncPerWrite, intervalMs, maxBytes, beside } = requested;
  // Without io_uring, the threads of the run include its depth, and each step has its own.
  const stepThreads = Math.max(1, Math.floor((data.threads * data.transfer.depth) / data.options.depth));
  const wanted = countWorkers(options.threads ?? stepThreads, options, data.machine);
  // The layout writes each file with threads of its own.
  const dataParts =
    requested.dataFiles === 'each'
      ? data.slices.map((slice) => [slice])
      : [stepSlices(requested, data.slices)];
  const threads = Math.max(1, Math.floor(wanted / dataParts.length));
  const transfer = {
    ...planned,
    strideBytes: threads * options.blockSize,
    syncPerWrite: planned.readPercent === 100 ? null : (syncPerWrite ?? planned.syncPerWrite),
    intervalMs,
    repeats: beside !== null,
  };
  const parts = dataParts.map((slices) => shareSlices(phase, transfer, slices, threads, maxBytes));
  const isRandom = phase.order === 'random';
  const operations = Math.ceil(maxBytes / transfer.ioSizeBytes / threads);
  const bytes = isRandom ? 0 : sum(parts.map((assignments) => sharedBytes(assignments, transfer)));
  return {
    transfer,
    goal: beside === null ? stepGoal(phase, options, bytes) : { unit: 'bytes', amount: bytes },
    maxOperationsPerWorker: isRandom && Number.isFinite(operations) ? operations : null,
    assignments: parts.flat(),
  };
}

/** `phaseBytes`: the size of the data that the phase moves, if it moves all of it. */
function stepGoal({ ioUnit, runBy, duration }: Phase, options: Options, phaseBytes: number): StepGoal {
  const { iopsDuration, stonewall, files, seeks, packages } = options;
  if (duration) return { unit: 'seconds', amount: duration.seconds };
  if (ioUnit === 'random-blocks') return { unit: 'seconds', amount: iopsDuration };
  const limit = stonewall === undefined ? {} : { timeLimitSeconds: stonewall };
  if (ioUnit === 'files') return { unit: 'operations', amount: files, ...limit };
  if (ioUnit === 'tool-calls') return { unit: 'operations', amount: countProjectFiles(packages), ...limit };
  if (runBy === 'seek-threads') return { unit: 'operations', amount: seeks, ...limit };
  return { unit: 'bytes', amount: phaseBytes, ...limit };
}

/** The first thread's slices reach from the first block to the last. */
function sharedBytes([first]: readonly Assignment[], { blockSizeBytes }: Transfer): number {
  const bytes = sum(first?.slices.map(({ lengthBytes }) => lengthBytes) ?? []);
  if (bytes > 0) return bytes;
  throw optionError(
    msg`a step moves less than one block of ${formatBytes(blockSizeBytes)}`,
    msg`pass a larger size to ${flag('steps')}, or a smaller block-size`,
  );
}

/** Returns the steps in another order for each run: a drift of the disk then does not look like an effect of a setting. */
export function shuffleSteps(steps: readonly Step[], seed: number, run: number): readonly Step[] {
  return new Random(seed, run).shuffle(steps);
}

/** Returns how many threads fit into the memory with the steps of these options. */
export function maxStepThreads(options: Options, machine: Machine): number {
  return Math.min(MAX_THREADS, maxWorkers(requestSteps(options), machine));
}

/** True if the memory is sufficient for a step that names its threads. */
export function fitsMemory(step: NamedStep, options: Options, machine: Machine): boolean {
  const { threads = 1, engine = options.engine, depth = options.depth } = step;
  return countWorkers(threads, { engine, depth }, machine) <= maxStepThreads(options, machine);
}
