import { constants, openSync, readSync } from 'node:fs';
import { closeWithPath } from '../files/slice-file.js';
import { DIRECT_FLAG, DIRECT_UNIT_BYTES, NO_FOLLOW, POSITION, READ_BYTES, SLICE_INDEX } from '../protocol.js';
import type { Phase, PhaseContext, PreparedPhase } from './phase.js';
import { Operations } from './tool-phase.js';

/** Reads parts of existing files through the page cache, so its counters show which parts were cached. Writes nothing. */
const firstRead: Phase = {
  name: 'first-read',
  title: 'First Read',
  amountLabel: 'Read',
  primaryRate: 'bytes',
  dataset: 'existing',
  access: 'uses',
  ioUnit: 'blocks',
  runBy: 'threads',
  order: 'sequential',
  readPercent: 100,
  coldCache: false,
  prepare: prepareParts,
};

/** Reads the same parts again, past the page cache, which keeps the data of other programs. */
const secondRead: Phase = { ...firstRead, name: 'second-read', title: 'Second Read' };

export const existingFilePhases: readonly Phase[] = [firstRead, secondRead];

/** Reads the parts block by block. A file may have become shorter. */
function prepareParts(context: PhaseContext): PreparedPhase {
  const { slices, progress, transfer, slotMemory, blockBytes } = context;
  const directFlag = transfer.direct ? (DIRECT_FLAG ?? 0) : 0;
  const files = new Map(slices.map(({ file }) => [file, openWithoutTrace(file, directFlag)]));
  const operations = new Operations(context);
  const memory = slotMemory(0, blockBytes);
  return {
    run() {
      for (const [index, { file, offsetBytes, lengthBytes }] of slices.entries()) {
        progress[SLICE_INDEX] = index;
        const fd = files.get(file) ?? -1;
        const endBytes = offsetBytes + lengthBytes;
        for (let position = offsetBytes; position < endBytes; position += blockBytes) {
          if (!operations.mayContinue()) return;
          progress[POSITION] = position;
          // Direct I/O reads whole blocks, even at the end of a file.
          const wholeBytes = Math.ceil((endBytes - position) / DIRECT_UNIT_BYTES) * DIRECT_UNIT_BYTES;
          operations.begin(file);
          const bytes = readSync(fd, memory, 0, Math.min(blockBytes, wholeBytes), position);
          operations.end();
          operations.add(READ_BYTES, bytes);
        }
      }
    },
    close() {
      for (const [file, fd] of files) closeWithPath(fd, file);
    },
    currentFile: () => operations.current,
  };
}

/** Only the owner may leave the time of the last access as it is. Does not wait if the file was replaced by a FIFO. */
function openWithoutTrace(file: string, directFlag: number): number {
  const flags = constants.O_RDONLY | NO_FOLLOW | (constants.O_NONBLOCK ?? 0);
  const keepsTime = constants.O_NOATIME ?? 0;
  for (const way of [directFlag | keepsTime, directFlag, keepsTime]) {
    try {
      return openSync(file, flags | way);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EPERM' && code !== 'EINVAL') throw error;
    }
  }
  return openSync(file, flags);
}
