import { unlinkSync } from 'node:fs';
import { retryWhileBusySync } from '../files/busy-file.js';
import type { SmallFile } from '../files/file-tree.js';
import type { PhaseContext } from './phase.js';
import { treePhases } from './tree-phase.js';

/** Deletes every file once. */
export const [deleteFiles, deleteRandom] = treePhases({
  name: 'delete',
  title: 'Delete',
  amountLabel: 'deleted',
  access: 'deletes',
  prepareAction: () => (file) => retryWhileBusySync(() => unlinkSync(file.path)),
  randomize: shuffle,
});

function shuffle(files: readonly SmallFile[], { random }: PhaseContext): readonly SmallFile[] {
  return files
    .map((file) => ({ file, key: random.uint32() }))
    .sort((one, other) => one.key - other.key)
    .map(({ file }) => file);
}
