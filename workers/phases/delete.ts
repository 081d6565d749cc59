import { unlinkSync } from 'node:fs';
import type { SmallFile } from '../files/tree.js';
import type { PhaseContext } from './phase.js';
import { treePhase } from './tree-phase.js';

const HELD = process.platform === 'win32' ? ['EBUSY', 'EPERM', 'EACCES'] : [];
const PATIENCE_MS = 2000;
const RETRY_MS = 20;
const NEVER_WOKEN = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

const work = {
  done: 'deleted',
  access: 'deletes',
  prepareAct: () => (file: SmallFile) => remove(file.path),
} as const;

/** Windows does not remove a file that another program has open, such as a virus scanner. */
function remove(path: string): void {
  const end = performance.now() + PATIENCE_MS;
  while (true) {
    try {
      unlinkSync(path);
      return;
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (!HELD.includes(code) || performance.now() > end) throw error;
      Atomics.wait(NEVER_WOKEN, 0, 0, RETRY_MS);
    }
  }
}

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
