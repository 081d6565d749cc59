import { constants, fsyncSync } from 'node:fs';
import { type SliceFile, scatteredJob } from '../files/slice-file.js';
import { readAll, writeAll } from '../files/transfer.js';
import { OPERATIONS, POSITION, READ_BYTES, STOP, WRITTEN_BYTES } from '../protocol.js';
import type { Phase, PhaseContext } from './phase.js';

/** One block in ten is changed and written back. */
const CHANGE_EVERY = 10;

/** Reads a fixed number of random blocks. The workers share them, so that a faster one reads more. */
export const seeks: Phase = {
  name: 'seeks',
  title: 'Random Seeks',
  done: 'seeks',
  figure: 'operations',
  dataset: 'data',
  access: 'uses',
  moves: 'blocks',
  runBy: 'seekers',
  ends: 'work',
  order: 'random',
  coldCache: true,
  durable: false,
  prepare: (context) => scatteredJob(context, constants.O_RDWR, loop),
};

function loop(
  pick: () => SliceFile,
  { transfer, data, blockRegion, random, flags, tickets, progress, latency }: PhaseContext,
): void {
  const { blockSizeBytes, seeks, syncEach } = transfer;
  let operations = 0;
  let changes = 0;
  while (Atomics.load(flags, STOP) === 0) {
    const ticket = Atomics.add(tickets, 0, 1);
    if (ticket >= seeks) return;
    const { fd, slice } = pick();
    const blocks = slice.lengthBytes / blockSizeBytes;
    const position = slice.offsetBytes + random.below(blocks) * blockSizeBytes;
    progress[POSITION] = position;
    const began = latency.begin();
    readAll(fd, blockRegion, position);
    data.checkPiece(blockRegion, position, slice);
    if (ticket % CHANGE_EVERY === 0) {
      data.change(blockRegion, operations);
      writeAll(fd, blockRegion, position);
      if (syncEach) fsyncSync(fd);
      changes++;
      progress[WRITTEN_BYTES] = changes * blockSizeBytes;
    }
    latency.end(began);
    operations++;
    progress[READ_BYTES] = operations * blockSizeBytes;
    progress[OPERATIONS] = operations;
  }
}
