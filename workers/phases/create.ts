import { closeSync, fsyncSync, linkSync, openSync, symlinkSync } from 'node:fs';
import { linkTarget, type SmallFile } from '../files/file-tree.js';
import { writeAll } from '../files/read-write.js';
import { CREATE_NEW_FLAGS, WRITTEN_BYTES } from '../protocol.js';
import type { PhaseContext } from './phase.js';
import { type TreeContext, treePhases } from './tree-phase.js';

const FILE_MODE = 0o600;

/** Creates the files or links of the tree. */
export const [create, createRandom] = treePhases({
  name: 'create',
  title: 'Create',
  amountLabel: 'created',
  access: 'creates',
  prepareAction: prepareCreate,
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
    if (transfer.syncPerWrite) fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
