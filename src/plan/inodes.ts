import type { Phase } from '../../workers/phases/phase.js';
import type { Tree } from '../../workers/protocol.js';
import { GobonnieError } from '../errors.js';
import type { Machine } from '../machine/machine.js';
import { sum } from '../report/statistics/statistics.js';
import { shown } from '../text/escape.js';
import { counted } from '../text/units.js';
import { mostTrees } from './trees.js';

/** Of the inodes so many stay free: ten thousand, or 5 % of all where that is less. */
const KEEP_FREE = 10_000;
const KEEP_FREE_SHARE = 0.05;
/** The scratch directory and the marker in it. */
const SCRATCH_INODES = 2;

/** Every file takes one, however small: a disk can be full of names with all its space free. */
export function refuseManyFiles(
  { target }: Machine,
  phases: readonly Phase[],
  dataFiles: number,
  trees: readonly Tree[],
): void {
  if (!target.inodes) return;
  const { total, available } = target.inodes;
  const kept = Math.min(KEEP_FREE, Math.floor(total * KEEP_FREE_SHARE));
  const needed = SCRATCH_INODES + dataFiles + mostTrees(phases) * sum(trees.map(inodesOf));
  if (needed <= available - kept) return;
  const whyNot = needed > available ? '' : `, of which ${kept} stay free`;
  throw new GobonnieError(
    'size-too-large',
    `this makes ${counted(needed, 'file')} in ${shown(target.directory)}, which has ${counted(available, 'inode')} free${whyNot}`,
    'pass fewer --files or --threads, remove some files there, or pass another --dir',
  );
}

/** The directories with the root, what links lead to, and the files, unless they are names of one. */
function inodesOf({ kind, count, directories }: Tree): number {
  const target = kind === 'files' ? 0 : 1;
  return 1 + directories + target + (kind === 'hard-links' ? 0 : count);
}
