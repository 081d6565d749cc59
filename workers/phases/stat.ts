import { closeSync, constants, lstatSync, openSync } from 'node:fs';
import type { SmallFile } from '../files/file-tree.js';
import { readAll } from '../files/read-write.js';
import { NO_FOLLOW, READ_BYTES } from '../protocol.js';
import type { PhaseContext } from './phase.js';
import { treePhases } from './tree-phase.js';

/** Stats as many files as there are, and reads files that hold data. In random order, some files more than once. */
export const [stat, statRandom] = treePhases({
  name: 'stat',
  title: 'Stat',
  amountLabel: 'statted',
  access: 'uses',
  prepareAction: prepareStat,
  randomize: (files, { random }) =>
    files.map(() => files[random.below(files.length)]).filter((file) => file !== undefined),
});

function prepareStat({ fileRegion, progress }: PhaseContext): (file: SmallFile) => void {
  return ({ path, lengthBytes }) => {
    // lstat, because stat would follow a link.
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
