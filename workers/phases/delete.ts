import { unlinkSync } from 'node:fs';
import { retryWhileBusySync } from '../files/busy-file.js';
import type { SmallFile } from '../files/file-tree.js';
import type { PhaseContext } from './phase.js';
import { treePhase } from './tree-phase.js';

const common = {
  amountLabel: 'deleted',
  access: 'deletes',
  prepareAction: () => (file: SmallFile) => retryWhileBusySync(() => unlinkSync(file.path)),
} as const;

/** Deletes every file in the order of creation. */
export const deleteFiles = treePhase({
  ...common,
  name: 'delete',
  title: 'Sequential Delete',
  nameOrder: 'numeric',
});

/** Deletes every file in random order. */
export const deleteRandom = treePhase({
  ...common,
  name: 'delete-random',
  title: 'Random Delete',
  nameOrder: 'random',
  arrange: shuffle,
});

function shuffle(files: readonly SmallFile[], { random }: PhaseContext): readonly SmallFile[] {
  return files
    .map((file) => ({ file, key: random.uint32() }))
    .sort((one, other) => one.key - other.key)
    .map(({ file }) => file);
}
