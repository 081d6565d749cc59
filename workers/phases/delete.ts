import { unlinkSync } from 'node:fs';
import { patientlySync } from '../files/held.js';
import type { SmallFile } from '../files/tree.js';
import type { PhaseContext } from './phase.js';
import { treePhase } from './tree-phase.js';

const work = {
  done: 'deleted',
  access: 'deletes',
  prepareAct: () => (file: SmallFile) => patientlySync(() => unlinkSync(file.path)),
} as const;

/** Deletes every file in the order of creation. */
export const deleteFiles = treePhase({
  ...work,
  name: 'delete',
  title: 'Sequential Delete',
  names: 'numeric',
});

/** Deletes every file in random order. */
export const deleteRandom = treePhase({
  ...work,
  name: 'delete-random',
  title: 'Random Delete',
  names: 'random',
  arrange: shuffled,
});

function shuffled(files: readonly SmallFile[], { random }: PhaseContext): readonly SmallFile[] {
  return files
    .map((file) => ({ file, key: random.uint32() }))
    .sort((one, other) => one.key - other.key)
    .map(({ file }) => file);
}
