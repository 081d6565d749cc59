import type { FileTree, Slice } from '../../workers/protocol.js';
import type { Options } from '../options/options-schema.js';
import type { JobPosition } from './job-position.js';

/** The files that a run creates in its temporary directory. */
export interface ScratchLayout {
  /** Number of data files. */
  readonly files: number;
  readonly trees: readonly FileTree[];
}

/** Returns the number of files that hold these slices. */
export function countDataFiles(slices: readonly Slice[]): number {
  return new Set(slices.map(({ file }) => file)).size;
}

/** Returns a rank's layout. Rank 0 creates all shared files. */
export function layOutScratch(
  { sharedFile, sharedDir }: Options,
  { slices, allTrees }: { readonly slices: readonly Slice[]; readonly allTrees: readonly FileTree[] },
  { rank }: Pick<JobPosition, 'rank'>,
): ScratchLayout {
  return {
    files: sharedFile && rank > 0 ? 0 : countDataFiles(slices),
    trees: sharedDir && rank > 0 ? [] : allTrees,
  };
}
