import { closeSync, fsyncSync, linkSync, openSync, symlinkSync } from 'node:fs';
import { writeAll } from '../files/transfer.js';
import { linkTargetOf, type NameOrder, type TreeFile } from '../files/tree.js';
import { MAKE, type Tree, WRITTEN_BYTES } from '../protocol.js';
import type { Station } from './phase.js';
import { treePhase } from './tree-phase.js';

const FILE_MODE = 0o600;

const work = { done: 'created', use: 'makes', prepareAct: maker } as const;

/** Makes the files of the tree, or the links, in the order of their numbers. */
export const create = treePhase({ ...work, name: 'create', title: 'Sequential Create', order: 'numeric' });

/** The same under names that follow no order. */
export const createRandom = treePhase({
  ...work,
  name: 'create-random',
  title: 'Random Create',
  order: 'random',
});

function maker(tree: Tree, order: NameOrder, station: Station): (file: TreeFile) => void {
  const target = linkTargetOf(tree, order);
  switch (tree.kind) {
    case 'hard-links':
      return ({ path }) => linkSync(target, path);
    case 'symlinks':
      return ({ path }) => symlinkSync(target, path);
    case 'files':
      return (file) => makeFile(file, station);
  }
}

function makeFile({ path, lengthBytes }: TreeFile, { fileBlock, manner, progress }: Station): void {
  const fd = openSync(path, MAKE, FILE_MODE);
  try {
    for (let position = 0; position < lengthBytes; position += fileBlock.length)
      writeAll(fd, fileBlock.subarray(0, Math.min(fileBlock.length, lengthBytes - position)), position);
    progress[WRITTEN_BYTES] = (progress[WRITTEN_BYTES] ?? 0) + lengthBytes;
    if (manner.syncEach) fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
