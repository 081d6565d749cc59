import { constants } from 'node:fs';
import { BYTES, OPERATIONS, POSITION, STOP } from '../protocol.js';
import { compare, readAll } from '../transfer.js';
import type { Phase } from './phase.js';

/** gobonniego's number: a prime, so that the blocks compared do not fall into step with any stripe. */
const COMPARE_EVERY = 127;

/** Reads the slice block by block and compares every 127th with what was written. */
export const read: Phase = {
  name: 'read',
  title: 'Sequential Read',
  done: 'Read',
  figure: 'bytes',
  ends: 'slice',
  coldCache: true,
  openFlags: constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0),

  work({ fd, slice, block, blockRegion, flags, progress }) {
    const end = slice.offsetBytes + slice.lengthBytes;
    let operations = 0;
    for (let position = slice.offsetBytes; position < end; position += block.length) {
      if (Atomics.load(flags, STOP) !== 0) return;
      progress[POSITION] = position;
      readAll(fd, blockRegion, position);
      if (operations % COMPARE_EVERY === 0) compare(blockRegion, block, position);
      operations++;
      progress[OPERATIONS] = operations;
      progress[BYTES] = operations * block.length;
    }
  },
};
