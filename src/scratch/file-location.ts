import path from 'node:path';
import type { Dataset } from '../../workers/phases/phase.js';
import type { Assignment } from '../../workers/protocol.js';
import { GobonnieError } from '../errors.js';
import { dataFileName } from '../plan/files.js';
import { display } from '../text/escape.js';
import { DirectoryHandle } from './safe-path/directory-handle.js';

export const SCRATCH_PREFIX = 'gobonnie-';
/** Matches the name of a scratch directory: the prefix and 6 characters. */
export const SCRATCH_NAME = /^gobonnie-[a-zA-Z0-9]{6}$/;
export const SCRATCH_NAME_LENGTH = SCRATCH_PREFIX.length + 6;

/** The directory in which a command of the user runs. */
export const COMMAND_DIRECTORY = 'work';

export function listDataFiles({ root }: DirectoryHandle, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => path.join(root, dataFileName(index)));
}

/** Where a phase finds its files: in the run's own temporary directory, or in another rank's. */
export interface FileLocation {
  readonly directory: DirectoryHandle;
  /** The data files. */
  readonly files: readonly string[];
}

/** Finds another rank's directory. Null if this process cannot see it. Validates the name, which the rank sent. */
export async function findFileLocation(
  parentPath: string,
  name: string,
  count: number,
): Promise<FileLocation | null> {
  if (!SCRATCH_NAME.test(name)) return null;
  try {
    await using parent = await DirectoryHandle.open(parentPath);
    const directory = await parent.enter(name);
    return { directory, files: listDataFiles(directory, count) };
  } catch {
    return null;
  }
}

/** Returns a worker's assignment with the paths of its files. Its many small files need fast lookups. */
export function resolvePaths(
  { root, fastRoot }: DirectoryHandle,
  { slices, tree, toolDirectory }: Assignment,
): Assignment {
  return {
    slices: slices.map((slice) => ({ ...slice, file: path.join(root, slice.file) })),
    tree: tree && { ...tree, root: path.join(fastRoot, tree.root) },
    ...(toolDirectory && {
      toolDirectory: { ...toolDirectory, root: path.join(fastRoot, toolDirectory.root) },
    }),
  };
}

/** Throws if the phases of that dataset would find files by the directory's path, but the directory was moved. */
export async function checkPlace(directory: DirectoryHandle, dataset: Dataset): Promise<void> {
  if (directory.isOpen && (dataset === 'data' || directory.isRenamable)) return;
  const current = await directory.findPath();
  if (current === directory.path) return;
  throw new GobonnieError(
    'scratch-failed',
    `${display(directory.path)} was ${current === null ? 'moved or replaced' : `moved to ${display(current)}`} during the run`,
    'start again, and leave that directory in place until the run ends',
  );
}
