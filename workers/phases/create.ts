import { closeSync, fsyncSync, linkSync, openSync, symlinkSync } from 'node:fs';
import { writeAll } from '../files/transfer.js';
import { linkTargetOf, type SmallFile } from '../files/tree.js';
import { CREATE_NEW, WRITTEN_BYTES } from '../protocol.js';
import type { PhaseContext } from './phase.js';
import { type TreeContext, treePhase } from './tree-phase.js';

const FILE_MODE = 0o600;

const work = { done: 'created', access: 'creates', prepareAct: creator } as const;

/** Creates the files or links of the tree in the order of their numbers. */
export const create = treePhase({ ...work, name: 'create', title: 'Sequential Create', names: 'numeric' });

/** The same with names in random order. */
export const createRandom = treePhase({
  ...work,
  name: 'create-random',
  title: 'Random Create',
  names: 'random',
});

function creator(context: TreeContext): (file: SmallFile) => void {
  const target = linkTargetOf(context.tree, context.names);
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
  const fd = openSync(path, CREATE_NEW, FILE_MODE);
  try {
    for (let position = 0; position < lengthBytes; position += fileBlock.length)
      writeAll(fd, fileBlock.subarray(0, Math.min(fileBlock.length, lengthBytes - position)), position);
    progress[WRITTEN_BYTES] = (progress[WRITTEN_BYTES] ?? 0) + lengthBytes;
    if (transfer.fsyncPerWrite) fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
