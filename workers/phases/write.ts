import { constants } from 'node:fs';
import { BYTES, OPERATIONS, POSITION, STOP } from '../protocol.js';
import { writeAll } from '../transfer.js';
import type { Phase } from './phase.js';

/** Writes the slice block by block; O_EXCL and O_NOFOLLOW, so that it can only ever be a file of our own making. */
export const write: Phase = {
  name: 'write',
  title: 'Sequential Write',
  done: 'Written',
  figure: 'bytes',
  ends: 'slice',
  coldCache: false,
  openFlags: constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0),

  work({ fd, slice, block, flags, progress }) {
    const end = slice.offsetBytes + slice.lengthBytes;
    let operations = 0;
    for (let position = slice.offsetBytes; position < end; position += block.length) {
      if (Atomics.load(flags, STOP) !== 0) return;
      progress[POSITION] = position;
      writeAll(fd, block, position);
      operations++;
      progress[OPERATIONS] = operations;
      progress[BYTES] = operations * block.length;
    }
  },
};
