import { constants } from 'node:fs';
import { BYTES, OPERATIONS, POSITION, STOP } from '../protocol.js';
import { sliceJob } from '../slice-file.js';
import { compare, readAll } from '../transfer.js';
import type { Phase, Station } from './phase.js';

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

  prepare(station) {
    return sliceJob(station.slice, constants.O_RDONLY, (fd) => loop(fd, station));
  },
};

function loop(fd: number, { slice, block, blockRegion, flags, progress }: Station): void {
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
}
