import { closeSync, fsyncSync, linkSync, openSync, symlinkSync } from 'node:fs';
import { linkTarget, type SmallFile } from '../files/file-tree.js';
import { writeAll } from '../files/read-write.js';
import { CREATE_NEW_FLAGS, WRITTEN_BYTES } from '../protocol.js';
import type { PhaseContext } from './phase.js';
import { type TreeContext, treePhase } from './tree-phase.js';

const FILE_MODE = 0o600;

const common = { amountLabel: 'created', access: 'creates', prepareAction: prepareCreate } as const;

/** Creates the files or links of the tree in the order of their numbers. */
export const create = treePhase({
  ...common,
  name: 'create',
  title: 'Sequential Create',
  nameOrder: 'numeric',
});

/** Creates files or links with names in random order. */
export const createRandom = treePhase({
  ...common,
  name: 'create-random',
  title: 'Random Create',
  nameOrder: 'random',
});

function prepareCreate(context: TreeContext): (file: SmallFile) => void {
  const target = linkTarget(context.tree, context.nameOrder);
  switch (context.tree.kind) {
    case 'hard-links':
      return ({ path }) => linkSync(target, path);
    case 'symlinks':
      return ({ path }) => symlinkSync(target, path);
    case 'files':
      return (file) => createFile(file, context);
  }
}

function createFile({ path, lengthBytes }: SmallFile, { fileBlock, transfer, progress }: PhaseContext): void {
  const fd = openSync(path, CREATE_NEW_FLAGS, FILE_MODE);
  try {
    for (let position = 0; position < lengthBytes; position += fileBlock.length)
      writeAll(fd, fileBlock.subarray(0, Math.min(fileBlock.length, lengthBytes - position)), position);
    progress[WRITTEN_BYTES] = (progress[WRITTEN_BYTES] ?? 0) + lengthBytes;
    if (transfer.fsyncPerWrite) fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
