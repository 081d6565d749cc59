import { constants, openSync, readSync } from 'node:fs';
import { closeWithPath } from '../files/slice-file.js';
import {
  DIRECT_FLAG,
  mayContinue,
  NO_FOLLOW,
  OPERATIONS,
  POSITION,
  READ_BYTES,
  SLICE_INDEX,
} from '../protocol.js';
import type { Phase, PhaseContext, PreparedPhase } from './phase.js';

/** Suits every device. */
const DIRECT_UNIT_BYTES = 4096;

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

/** Reads the same parts again from the device: past the page cache, which keeps what other programs have in it. */
const secondRead: Phase = { ...firstRead, name: 'second-read', title: 'Second Read' };

export const existingFilePhases: readonly Phase[] = [firstRead, secondRead];

function prepareParts(context: PhaseContext): PreparedPhase {
  const { slices, progress, transfer } = context;
  const directFlag = transfer.direct ? (DIRECT_FLAG ?? 0) : 0;
  const files = new Map(slices.map(({ file }) => [file, openWithoutTrace(file, directFlag)]));
  return {
    run: () => readParts(files, context),
    close() {
      for (const [file, fd] of files) closeWithPath(fd, file);
    },
    currentFile: () => slices[progress[SLICE_INDEX] ?? 0]?.file ?? '',
  };
}

/** Only the owner may leave the time of the last access as it is. Does not wait if the file was replaced by a FIFO. */
function openWithoutTrace(file: string, directFlag: number): number {
  const flags = constants.O_RDONLY | NO_FOLLOW | (constants.O_NONBLOCK ?? 0);
  const keepsTime = constants.O_NOATIME ?? 0;
  const ways = [directFlag | keepsTime, directFlag, keepsTime];
  for (const way of ways) {
    try {
      return openSync(file, flags | way);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EPERM' && code !== 'EINVAL') throw error;
    }
  }
  return openSync(file, flags);
}

/** Reads the parts block by block. A file may have become shorter. */
function readParts(files: ReadonlyMap<string, number>, context: PhaseContext): void {
  const { slices, flags, progress, latency, slotMemory, blockBytes } = context;
  const memory = slotMemory(0, blockBytes);
  for (const [index, slice] of slices.entries()) {
    const { file, offsetBytes } = slice;
    const fd = files.get(file) ?? -1;
    const endBytes = offsetBytes + slice.lengthBytes;
    progress[SLICE_INDEX] = index;
    for (let position = offsetBytes; position < endBytes; position += blockBytes) {
      const operations = progress[OPERATIONS] ?? 0;
      if (!mayContinue(flags, operations)) return;
      progress[POSITION] = position;
      const startNs = latency.begin();
      // Direct I/O reads whole blocks, also at the end of a file.
      const lengthBytes = Math.ceil((endBytes - position) / DIRECT_UNIT_BYTES) * DIRECT_UNIT_BYTES;
      const bytes = readSync(fd, memory, 0, Math.min(blockBytes, lengthBytes), position);
      latency.end(startNs);
      progress[OPERATIONS] = operations + 1;
      progress[READ_BYTES] = (progress[READ_BYTES] ?? 0) + bytes;
    }
  }
}
