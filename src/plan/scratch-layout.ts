import type { FileTree, Slice } from '../../workers/protocol.js';
import type { Options } from '../options/options-schema.js';
import type { JobPosition } from './job-position.js';

/** A tree of small files, without what follows from its place in a list of trees. */
export type TreeShape = Omit<FileTree, 'index' | 'root' | 'first' | 'made'>;

/** What a run makes in its temporary directory. */
export interface ScratchLayout {
  /** How many files hold the data. */
  readonly files: number;
  readonly trees: readonly TreeShape[];
  /** Whether all trees are in one directory. Absent in the markers of older versions. */
  readonly singleDirectory?: boolean;
  readonly seed: number;
}

/** How many files hold these slices. */
export function countDataFiles(slices: readonly Slice[]): number {
  return new Set(slices.map(({ file }) => file)).size;
}

/** Rank 0 makes everything that all ranks share. */
export function layOutScratch(
  { sharedFile, sharedDir, seed }: Options,
  { slices, allTrees }: { readonly slices: readonly Slice[]; readonly allTrees: readonly FileTree[] },
  { rank }: Pick<JobPosition, 'rank'>,
): ScratchLayout {
  return {
    files: sharedFile && rank > 0 ? 0 : countDataFiles(slices),
    trees: sharedDir && rank > 0 ? [] : allTrees.map(({ index, root, first, ...shape }) => shape),
    ...(sharedDir && { singleDirectory: true }),
    seed,
  };
}
