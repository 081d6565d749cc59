import { unlinkSync } from 'node:fs';
import type { TreeFile } from '../files/tree.js';
import type { Station } from './phase.js';
import { treePhase } from './tree-phase.js';

const work = {
  done: 'deleted',
  use: 'takes',
  prepareAct: () => (file: TreeFile) => unlinkSync(file.path),
} as const;

/** Deletes every file, in the order in which they were made. */
export const deleteFiles = treePhase({
  ...work,
  name: 'delete',
  title: 'Sequential Delete',
  order: 'numeric',
});

/** Deletes every file, in an order of its own. */
export const deleteRandom = treePhase({
  ...work,
  name: 'delete-random',
  title: 'Random Delete',
  order: 'random',
  arrange: shuffled,
});

function shuffled(files: readonly TreeFile[], { random }: Station): readonly TreeFile[] {
  return files
    .map((file) => ({ file, place: random.uint32() }))
    .sort((one, other) => one.place - other.place)
    .map(({ file }) => file);
}
