import { countProjectFiles } from '../../workers/files/project-tree.js';
import { OPENED_FILES } from '../../workers/phases/open-files.js';
import { type Dataset, isToolDataset, isTreeDataset, type Phase } from '../../workers/phases/phase.js';
import type { Assignment, FileTree, Slice } from '../../workers/protocol.js';
import { GobonnieError } from '../errors.js';
import { fillsWithZeros } from '../machine/filesystem.js';
import type { Machine, Target } from '../machine/machine-schema.js';
import type { Options } from '../options/options-schema.js';
import type { Warning } from '../report/schema/report.js';
import { sum } from '../report/statistics/statistics.js';
import { display } from '../text/escape.js';
import { flag, formatFlag, msg } from '../text/message-template.js';
import { formatBytes, KIB, MIB, pluralize } from '../text/units.js';
import { createWarning } from '../warnings/warning-catalogue.js';
import { countWorkers } from './engine.js';
import { listPhases, type RequestedSteps } from './requested-steps.js';
import { layOutSlices } from './slices.js';
import { freeSpaceText, usableBytes } from './target.js';

/** The minimum space that a file and its directory entry take. */
const MIN_FILE_BYTES = 4096;
/** The maximum space for a file of a tool, with its part of the archive, the directories and the rounding to blocks. */
const MAX_TOOL_FILE_BYTES = 16 * KIB;
/** The maximum space for the files of a single phase. */
const MAX_OWN_FILES_BYTES = 64 * MIB;
/** Inodes of a file of a tool and its part of the directories and of npm's cache. */
const INODES_PER_TOOL_FILE = 1.3;
/** Matches the name of a directory with a tool's files: see `toolDirectoryName`. */
export const TOOL_DIRECTORY_NAME = /^tool-[a-z0-9-]+\.\d+$/;
/** Inodes kept free: ten thousand, or 5 % of all inodes if that is less. */
const MIN_FREE_INODES = 10_000;
const MIN_FREE_INODE_SHARE = 0.05;
/** Inodes of the scratch directory and its marker. */
const SCRATCH_INODES = 2;

export interface JobPosition {
  readonly rank: number;
  readonly ranks: number;
}

/** The files that a run creates in its temporary directory. */
export interface ScratchLayout {
  /** Number of data files. */
  readonly files: number;
  readonly trees: readonly FileTree[];
}

/** The parts of the files that this rank uses. */
export interface PlannedFiles {
  /** Their file names are relative to the scratch directory that the run will create. */
  readonly slices: readonly Slice[];
  /** The small files of each thread, named like the slices' files. */
  readonly trees: readonly FileTree[];
  readonly installedFiles: number;
}

/** Returns the name of the directory for the files of a tool's phase, without its run. A phase may be in several steps. */
function toolDirectoryName({ name, dataset }: Pick<Phase, 'name' | 'dataset'>, step?: number): string {
  const suffix = step === undefined ? '' : `-${step}`;
  return `tool-${dataset === 'project' ? dataset : name}${suffix}`;
}

/** True if all threads share one data file; with --shared-file, the threads of all ranks. */
export function isInOneFile({ oneFile, sharedFile }: Options): boolean {
  return oneFile || sharedFile;
}

/** Returns the files of a rank. Shared data is a single slice, unless it fills the disk. */
export function layOutFiles(
  requested: RequestedSteps,
  threads: number,
  blockCount: number,
  jobPosition: JobPosition,
): PlannedFiles & { readonly scratchLayout: ScratchLayout } {
  const { options, sharesData } = requested;
  const { sharedFile, sharedDir } = options;
  const { rank, ranks } = jobPosition;
  const phases = listPhases(requested);
  const sliceThreads = sharesData ? 1 : threads;
  const slices = blockCount > 0 ? layOutSlices(blockCount, sliceThreads, requested, rank) : [];
  const usesTrees = phases.some(({ dataset }) => isTreeDataset(dataset));
  const allTrees = usesTrees ? layOutTrees(options, threads, ranks) : [];
  const firstOwnTree = sharedDir ? rank * threads : 0;
  return {
    slices,
    trees: allTrees.slice(firstOwnTree, firstOwnTree + threads),
    installedFiles: countProjectFiles(options.packages),
    // Rank 0 creates all shared files.
    scratchLayout: {
      files: sharedFile && rank > 0 ? 0 : countDataFiles(slices),
      trees: sharedDir && rank > 0 ? [] : allTrees,
    },
  };
}

export function assignWork(
  phase: Phase,
  { slices, trees, installedFiles }: PlannedFiles,
  threads: number,
  options: Options,
  machine: Machine,
  step?: number,
): readonly Assignment[] {
  const { seekThreads, dataFiles, packages } = options;
  const { runBy, dataset } = phase;
  if (typeof runBy === 'function') {
    const toolDirectory = { root: toolDirectoryName(phase, step), packages, installedFiles };
    const length = runBy(countProjectFiles(packages));
    return Array.from({ length }, () => ({ slices: [], tree: null, toolDirectory }));
  }
  if (runBy === 'seek-threads' && seekThreads !== undefined) {
    const length = countWorkers(seekThreads, options, machine);
    return Array.from({ length }, () => ({ slices, tree: null }));
  }
  return Array.from({ length: threads }, (_, index) =>
    dataset === 'data'
      ? { slices: slices.slice(index * dataFiles, (index + 1) * dataFiles), tree: null }
      : { slices: [], tree: trees[index] ?? null },
  );
}

/** Returns a tree of small files per thread; together they hold --files files. With --shared-dir, for all ranks. */
function layOutTrees(options: Options, threads: number, ranks: number): readonly FileTree[] {
  const { files, fileKind, fileSize, fileMinSize, directories, sharedDir } = options;
  let first = 0;
  return Array.from({ length: sharedDir ? ranks * threads : threads }, (_, index) => {
    const count = Math.floor(files / threads) + (index % threads < files % threads ? 1 : 0);
    const tree = {
      index,
      root: `tree.${sharedDir ? 0 : index}`,
      first,
      count,
      directories,
      kind: fileKind,
      minBytes: fileMinSize,
      maxBytes: fileSize,
    };
    // In a shared directory, no two files have the same number.
    if (sharedDir) first += count;
    return tree;
  });
}

/** Returns how many trees of a thread exist at once: the random tree may be created before the other is deleted. */
function maxCoexistingTrees(requested: RequestedSteps): number {
  const existing = new Set<Dataset>();
  let max = 0;
  for (const { dataset, access } of listPhases(requested)) {
    if (!isTreeDataset(dataset)) continue;
    if (access === 'creates') existing.add(dataset);
    if (access === 'deletes') existing.delete(dataset);
    max = Math.max(max, existing.size);
  }
  return max;
}

export function maxSmallFileBytes({ fileSize }: Options): number {
  return Math.ceil((fileSize + 1) / MIN_FILE_BYTES) * MIN_FILE_BYTES;
}

/** Returns the maximum space that a phase of a tool takes in one run. */
export function maxToolBytes({ access, dataset, ioUnit }: Phase, { packages, ioSize }: Options): number {
  if (!isToolDataset(dataset) || access !== 'creates') return 0;
  if (dataset === 'project') return countProjectFiles(packages) * MAX_TOOL_FILE_BYTES;
  return ioUnit === 'random-blocks' ? OPENED_FILES * (ioSize + MIN_FILE_BYTES) : MAX_OWN_FILES_BYTES;
}

/** Returns the most runs that options allow, without a comparison: more than --runs if they repeat until the results are stable. */
export function countMostRuns({ runs, maxRuns, untilStable }: Options): number {
  return untilStable === undefined ? runs : Math.max(runs, maxRuns);
}

/** Returns the space for the tools' files of all runs, which are removed only at the end. */
function computeToolBytes({ options, steps }: RequestedSteps): number {
  return countMostRuns(options) * sum(steps.map((step) => maxToolBytes(step.phase, step.options)));
}

/** Returns the maximum space of a run beside its data: its small files while most of them exist, and the files of tools. */
export function computeFileBytes(requested: RequestedSteps): number {
  const { options } = requested;
  const smallFileBytes = maxCoexistingTrees(requested) * options.files * maxSmallFileBytes(options);
  return smallFileBytes + computeToolBytes(requested);
}

function usesPackages({ steps }: RequestedSteps): boolean {
  return steps.some(({ phase }) => phase.dataset === 'project');
}

/** `chooseBlockCount` rejects data that does not fit beside these files. */
export function rejectLargeFiles(requested: RequestedSteps, target: Target): void {
  const neededBytes = computeFileBytes(requested);
  if (neededBytes <= Math.max(0, usableBytes(target))) return;
  const { files, fileSize, packages, untilStable } = requested.options;
  const hasTrees = maxCoexistingTrees(requested) > 0;
  const hasPackages = usesPackages(requested);
  const runs = countMostRuns(requested.options);
  const cause = hasTrees
    ? msg`${flag('files', files)} of up to ${formatBytes(fileSize)} need`
    : msg`${hasPackages ? flag('packages', packages) : 'the files'} for ${pluralize(runs, 'run')} need`;
  const leastBytes = sum(
    requested.steps.map((step) => maxToolBytes(step.phase, { ...step.options, packages: 1 })),
  );
  const canShrink = hasPackages && leastBytes <= usableBytes(target);
  let remedy = canShrink ? msg`pass fewer ${flag('packages')} or` : msg`free some space, or pass`;
  if (runs > 1) remedy = msg`pass fewer ${flag(untilStable === undefined ? 'runs' : 'maxRuns')} or`;
  if (hasTrees) remedy = msg`pass fewer ${flag('files')}, a smaller ${flag('fileSize')} or`;
  throw new GobonnieError(
    'size-too-large',
    msg`${cause} ${formatBytes(neededBytes)} in ${display(target.directory)}, which has ${freeSpaceText(target)}`,
    msg`${remedy} another ${flag('dir')}`,
  );
}

/** Even the smallest file takes an inode, and a disk can run out of inodes while it has free space. */
export function rejectTooManyFiles(target: Target, requested: RequestedSteps, files: PlannedFiles): void {
  if (!target.inodes) return;
  const { total, available } = target.inodes;
  const minFree = Math.min(MIN_FREE_INODES, Math.floor(total * MIN_FREE_INODE_SHARE));
  const treeInodes = sum(files.trees.map(countInodes));
  const toolFiles = computeToolBytes(requested) / MAX_TOOL_FILE_BYTES;
  const smallFileInodes =
    maxCoexistingTrees(requested) * treeInodes + Math.ceil(toolFiles * INODES_PER_TOOL_FILE);
  const needed = SCRATCH_INODES + countDataFiles(files.slices) + smallFileInodes;
  if (needed <= available - minFree) return;
  const minFreeText = needed > available ? '' : `, of which ${minFree} must stay free`;
  const remedy = usesPackages(requested) ? flag('packages') : msg`${flag('files')} or ${flag('threads')}`;
  throw new GobonnieError(
    'size-too-large',
    `this run needs ${pluralize(needed, 'inode')} in ${display(target.directory)}, but only ${available} are free${minFreeText}`,
    msg`pass fewer ${remedy}, remove some files there, or pass another ${flag('dir')}`,
  );
}

export function countDataFiles(slices: readonly Slice[]): number {
  return new Set(slices.map(({ file }) => file)).size;
}

/** Counts the root, its directories, the target of links, and the files. Hard links share the inode of their target. */
function countInodes({ kind, count, directories }: FileTree): number {
  const target = kind === 'files' ? 0 : 1;
  return 1 + directories + target + (kind === 'hard-links' ? 0 : count);
}

/** A warning if threads that share a file start to write at different offsets, and the filesystem fills the gaps. */
export function zeroFillWarnings(
  options: Options,
  target: Target,
  slices: readonly Slice[],
  { ranks }: JobPosition,
): readonly Warning[] {
  // Threads that share a file have one slice each.
  const threads = slices.length * (options.sharedFile ? ranks : 1);
  if (!isInOneFile(options) || threads <= 1 || !fillsWithZeros(target)) return [];
  const option = formatFlag(flag(options.sharedFile ? 'sharedFile' : 'oneFile'));
  return [createWarning('zero-filled', { filesystem: target.filesystem, threads, option })];
}
