import { constants } from 'node:fs';
import { BYTES, OPERATIONS, POSITION, STOP } from '../protocol.js';
import { sliceJob } from '../slice-file.js';
import { readAll, writeAll } from '../transfer.js';
import type { Phase, Station } from './phase.js';

/** Operation 0, 10, 20, … writes: one write to nine reads, as gobonniego does. */
const WRITE_EVERY = 10;

/** Small reads and writes at random byte offsets of the slice, until the duration is over. */
export const iops: Phase = {
  name: 'iops',
  title: 'IOPS',
  done: 'operations',
  figure: 'operations',
  ends: 'duration',
  coldCache: true,

  prepare(station) {
    return sliceJob(station.slice, constants.O_RDWR, (fd) => loop(fd, station));
  },
};

function loop(fd: number, { slice, piece, pieceRegion, random, flags, progress }: Station): void {
  const places = slice.lengthBytes - piece.length + 1;
  let operations = 0;
  while (Atomics.load(flags, STOP) === 0) {
    const position = slice.offsetBytes + random.below(places);
    progress[POSITION] = position;
    if (operations % WRITE_EVERY === 0) writeAll(fd, piece, position);
    else readAll(fd, pieceRegion, position);
    operations++;
    progress[OPERATIONS] = operations;
    progress[BYTES] = operations * piece.length;
  }
}
