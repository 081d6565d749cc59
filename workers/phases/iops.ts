import { constants, fsyncSync } from 'node:fs';
import { type SliceFile, scatteredJob } from '../files/slice-file.js';
import { readAll, writeAll } from '../files/transfer.js';
import { OPERATIONS, POSITION, READ_BYTES, STOP, WRITTEN_BYTES } from '../protocol.js';
import type { Phase, PhaseContext } from './phase.js';

/** Operation 0, 10, 20, … writes: one write to nine reads, as gobonniego does. */
const WRITE_EVERY = 10;

/** Small reads and writes at random offsets of the slice, until the duration is over. */
export const iops: Phase = {
  name: 'iops',
  title: 'IOPS',
  done: 'operations',
  figure: 'operations',
  dataset: 'data',
  access: 'uses',
  moves: 'pieces',
  runBy: 'threads',
  ends: 'duration',
  order: 'random',
  coldCache: true,
  durable: false,
  prepare: (context) => scatteredJob(context, constants.O_RDWR, loop),
};

function loop(
  pick: () => SliceFile,
  { transfer, data, pieceRegion, random, flags, progress, latency }: PhaseContext,
): void {
  const { ioSizeBytes, alignBytes, syncEach } = transfer;
  let operations = 0;
  let writes = 0;
  while (Atomics.load(flags, STOP) === 0) {
    const { fd, slice } = pick();
    const places = Math.floor((slice.lengthBytes - ioSizeBytes) / alignBytes) + 1;
    const position = slice.offsetBytes + random.below(places) * alignBytes;
    progress[POSITION] = position;
    if (operations % WRITE_EVERY === 0) {
      const piece = data.pieceAt(position, slice);
      const began = latency.begin();
      writeAll(fd, piece, position);
      if (syncEach) fsyncSync(fd);
      latency.end(began);
      writes++;
      progress[WRITTEN_BYTES] = writes * ioSizeBytes;
    } else {
      const began = latency.begin();
      readAll(fd, pieceRegion, position);
      latency.end(began);
      data.checkPiece(pieceRegion, position, slice);
      progress[READ_BYTES] = (operations - writes + 1) * ioSizeBytes;
    }
    operations++;
    progress[OPERATIONS] = operations;
  }
}
