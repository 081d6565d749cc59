import { closeSync, constants, lstatSync, openSync } from 'node:fs';
import { readAll } from '../files/transfer.js';
import type { NameOrder, TreeFile } from '../files/tree.js';
import { NO_FOLLOW, READ_BYTES, type Tree } from '../protocol.js';
import type { Station } from './phase.js';
import { treePhase } from './tree-phase.js';

const work = { done: 'looked at', use: 'needs', prepareAct: looker } as const;

/** Looks at every file, in the order in which they were made, and reads those that hold data. */
export const stat = treePhase({ ...work, name: 'stat', title: 'Sequential Stat', order: 'numeric' });

/** Looks at as many as there are, drawn at random: at some of them more than once, at others never. */
export const statRandom = treePhase({
  ...work,
  name: 'stat-random',
  title: 'Random Stat',
  order: 'random',
  arrange: (files, { random }) => files.flatMap(() => files[random.below(files.length)] ?? []),
});

function looker(_tree: Tree, _order: NameOrder, { fileRegion, progress }: Station): (file: TreeFile) => void {
  return ({ path, lengthBytes }) => {
    // Of a link what it is itself.
    lstatSync(path);
    if (lengthBytes === 0) return;
    const fd = openSync(path, constants.O_RDONLY | NO_FOLLOW);
    try {
      for (let position = 0; position < lengthBytes; position += fileRegion.length)
        readAll(fd, fileRegion.subarray(0, Math.min(fileRegion.length, lengthBytes - position)), position);
      progress[READ_BYTES] = (progress[READ_BYTES] ?? 0) + lengthBytes;
    } finally {
      closeSync(fd);
    }
  };
}
