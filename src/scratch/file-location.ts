import path from 'node:path';
import type { Assignment } from '../../workers/protocol.js';
import { dataFileName } from '../plan/slices.js';
import { findOwnDirectory, type OwnDirectory, resolveDirectory } from './own-files.js';

export const SCRATCH_PREFIX = 'gobonnie-';
/** Matches the name of a scratch directory: the prefix and 6 characters. */
export const SCRATCH_NAME = /^gobonnie-[a-zA-Z0-9]{6}$/;

/** The directory in which a command of the user runs. */
export const COMMAND_DIRECTORY = 'work';

export function listDataFiles(directory: OwnDirectory, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => path.join(directory.path, dataFileName(index)));
}

/** Where a phase finds its files: in the run's own temporary directory, or in another rank's. */
export interface FileLocation {
  readonly directory: OwnDirectory;
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
    const directory = await findOwnDirectory(path.join(await resolveDirectory(parentPath), name));
    return { directory, files: listDataFiles(directory, count) };
  } catch {
    return null;
  }
}

/** Returns a worker's assignment with the paths of its files. */
export function resolvePaths(
  directory: OwnDirectory,
  { slices, tree, toolDirectory }: Assignment,
): Assignment {
  // Existing files have absolute paths.
  const resolve = (file: string) => path.resolve(directory.path, file);
  return {
    slices: slices.map((slice) => ({ ...slice, file: resolve(slice.file) })),
    tree: tree && { ...tree, root: resolve(tree.root) },
    ...(toolDirectory && { toolDirectory: { ...toolDirectory, root: resolve(toolDirectory.root) } }),
  };
}
