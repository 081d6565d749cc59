import { lstat } from 'node:fs/promises';
import { GobonnieError } from '../errors.js';
import type { Machine } from '../machine/machine-schema.js';
import { usableBytes } from '../plan/target.js';
import { Scratch } from '../scratch/scratch.js';
import type { Watcher } from '../scratch/watcher/watcher.js';
import { nullIfMissing } from '../system-error.js';
import { display } from '../text/escape.js';
import { groupBy } from '../text/group-by.js';
import { formatBytes } from '../text/units.js';
import { copyTree, type SourceTree } from './tree.js';

/** Throws if the copies would not fit, or would leave too little space. Sides on the same filesystem share its space. */
export function rejectLargeTree({ root, entries, bytes }: SourceTree, machines: readonly Machine[]): void {
  const targets = machines.map(({ target }) => target);
  for (const group of groupBy(targets, ({ mount, device }) => `${mount} ${device}`)) {
    const [target] = group;
    const neededBytes = bytes * group.length;
    const neededInodes = (entries.length + 1) * group.length;
    const freeInodes = target.inodes?.available ?? Number.POSITIVE_INFINITY;
    const isTooLarge = neededBytes > usableBytes(target);
    if (!isTooLarge && neededInodes <= freeInodes) continue;
    const amounts = isTooLarge
      ? `${formatBytes(neededBytes)}, but only ${formatBytes(target.availableBytes)} are free`
      : `${neededInodes} inodes, but only ${freeInodes} are free`;
    const copies = group.length > 1 ? `${group.length} copies` : 'a copy';
    throw new GobonnieError(
      'size-too-large',
      `${copies} of ${display(root)} in ${display(target.directory)} need ${amounts}`,
      'leave something out with --exclude, or pass another DIR',
    );
  }
}

/** Creates a scratch directory in which root, too, can run a command safely. */
export async function createWorkScratch(machine: Machine, watcher: Watcher): Promise<Scratch> {
  const { directory } = machine.target;
  const layout = { files: 0, trees: [] };
  const scratch = await Scratch.create({ directory, scratchLayout: layout, machine }, watcher);
  if (!machine.isRoot || !(await scratch.directory.canOthersWrite())) return scratch;
  await scratch.remove();
  throw new GobonnieError(
    'directory-unusable',
    `other users can write to files created in ${display(directory)}, and could change what root runs`,
    'pass another directory, or do not run as root',
  );
}

/** Creates the directory in which a command runs, if it is missing: the command may have removed or replaced it. */
export async function fillWorkDirectory(
  scratch: Scratch,
  tree: SourceTree | null,
  signal: AbortSignal,
): Promise<void> {
  const stats = await nullIfMissing(lstat(scratch.commandDirectory));
  if (stats?.isDirectory()) return;
  await scratch.createCommandDirectory();
  if (tree) await copyTree(tree, scratch.commandDirectory, signal);
}
