import { constants } from 'node:fs';
import { BYTES, OPERATIONS, POSITION, STOP } from '../protocol.js';
import { sliceJob } from '../slice-file.js';
import { writeAll } from '../transfer.js';
import type { Phase, Station } from './phase.js';

/** Writes the slice block by block. With O_EXCL it can only ever be a file of our own making. */
export const write: Phase = {
  name: 'write',
  title: 'Sequential Write',
  done: 'Written',
  figure: 'bytes',
  ends: 'slice',
  coldCache: false,

  prepare(station) {
    return sliceJob(station.slice, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, (fd) =>
      loop(fd, station),
    );
  },
};

function loop(fd: number, { slice, block, flags, progress }: Station): void {
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
}
