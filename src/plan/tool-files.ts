import { countProjectFiles } from '../../workers/files/project-tree.js';
import type { Phase } from '../../workers/phases/phase.js';
import type { Assignment } from '../../workers/protocol.js';
import { GobonnieError } from '../errors.js';
import type { Target } from '../machine/machine-schema.js';
import type { Options } from '../options/options-schema.js';
import { sum } from '../report/statistics/statistics.js';
import { display } from '../text/escape.js';
import { flag, msg } from '../text/message-template.js';
import { formatBytes, KIB, MIB } from '../text/units.js';
import { freeSpaceText, usableBytes } from './target.js';

/** A scratch directory has a directory of this prefix, a name and a run for each of a run's tools. */
const TOOL_PREFIX = 'tool-';
/** Matches the name of a directory with a tool's files. */
export const TOOL_DIRECTORY_NAME = /^tool-[a-z-]+\.\d+$/;
/** The maximum space for a file, with its part of the archive, the directories and the rounding to blocks. */
const MAX_BYTES_PER_FILE = 16 * KIB;
/** The maximum space for the files of commits. */
const MAX_COMMIT_BYTES = 64 * MIB;
/** Inodes of a file and its part of the directories and of npm's cache. */
const INODES_PER_FILE = 1.3;

type PhaseFacts = Pick<Phase, 'name' | 'runBy' | 'dataset'>;
type ToolOptions = Pick<Options, 'packages' | 'runs' | 'untilStable' | 'maxRuns'>;

/** Returns the name of the directory for a phase's files, without its run. */
export function toolDirectoryName({ name, dataset }: Pick<Phase, 'name' | 'dataset'>): string {
  return TOOL_PREFIX + (dataset === 'project' ? dataset : name);
}

/** Returns the work of a tool's threads, on the same files. Null for a phase that is not a tool's. */
export function assignToolWork(
  phase: PhaseFacts,
  { packages }: Pick<Options, 'packages'>,
  createdFiles = countProjectFiles(packages),
): readonly Assignment[] | null {
  if (typeof phase.runBy !== 'function') return null;
  const toolDirectory = { root: toolDirectoryName(phase), packages, createdFiles };
  const threads = phase.runBy(countProjectFiles(packages));
  return Array.from({ length: threads }, () => ({ slices: [], tree: null, toolDirectory }));
}

/** Returns the maximum space that a phase of a tool takes in one run. */
export function maxToolBytes(
  { access, duration, runBy }: Pick<Phase, 'access' | 'duration' | 'runBy'>,
  { packages }: Pick<Options, 'packages'>,
): number {
  if (typeof runBy !== 'function' || access !== 'creates') return 0;
  return duration ? MAX_COMMIT_BYTES : countProjectFiles(packages) * MAX_BYTES_PER_FILE;
}

/** Returns the space for the tools' files of all runs, which are removed only at the end. */
export function computeToolBytes(options: ToolOptions, phases: readonly Phase[]): number {
  const { runs, untilStable, maxRuns } = options;
  const most = untilStable === undefined ? runs : Math.max(runs, maxRuns);
  return most * sum(phases.map((phase) => maxToolBytes(phase, options)));
}

export function countToolInodes(options: ToolOptions, phases: readonly Phase[]): number {
  return Math.ceil((computeToolBytes(options, phases) / MAX_BYTES_PER_FILE) * INODES_PER_FILE);
}

export function rejectLargeProject(
  { packages, runs }: Pick<Options, 'packages' | 'runs'>,
  target: Target,
  neededBytes: number,
): void {
  if (neededBytes <= usableBytes(target)) return;
  throw new GobonnieError(
    'size-too-large',
    msg`${flag('packages', packages)} and ${flag('runs', runs)} need ${formatBytes(neededBytes)} in ${display(target.directory)}, which has ${freeSpaceText(target, neededBytes)}`,
    msg`pass fewer ${flag('packages')}, fewer ${flag('runs')} or another ${flag('dir')}`,
  );
}
