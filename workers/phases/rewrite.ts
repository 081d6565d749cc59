import { constants, fsyncSync } from 'node:fs';
import { type SliceFile, sliceJob } from '../files/slice-file.js';
import { readAll, writeAll } from '../files/transfer.js';
import { OPERATIONS, POSITION, READ_BYTES, STOP, WRITTEN_BYTES } from '../protocol.js';
import type { Phase, Station } from './phase.js';

/** Reads the slice block by block, changes a value in each and writes it back in its place. */
export const rewrite: Phase = {
  name: 'rewrite',
  title: 'Rewrite',
  done: 'Rewritten',
  figure: 'bytes',
  stock: 'data',
  use: 'needs',
  moves: 'blocks',
  team: 'threads',
  ends: 'work',
  order: 'sequential',
  coldCache: true,
  durable: true,

  prepare(station) {
    return sliceJob(station, constants.O_RDWR, loop);
  },
};

function loop(
  { fd, slice }: SliceFile,
  { transfer, manner, data, blockRegion, flags, progress, latency }: Station,
): void {
  const { blockSizeBytes, fsync } = transfer;
  const { syncEach } = manner;
  const end = slice.offsetBytes + slice.lengthBytes;
  let operations = progress[OPERATIONS] ?? 0;
  for (let position = slice.offsetBytes; position < end; position += blockSizeBytes) {
    if (Atomics.load(flags, STOP) !== 0) return;
    progress[POSITION] = position;
    const began = latency.begin();
    readAll(fd, blockRegion, position);
    data.checkBlock(blockRegion, position, slice, operations);
    data.change(blockRegion, operations);
    writeAll(fd, blockRegion, position);
    if (syncEach) fsyncSync(fd);
    latency.end(began);
    operations++;
    progress[OPERATIONS] = operations;
    progress[READ_BYTES] = operations * blockSizeBytes;
    progress[WRITTEN_BYTES] = operations * blockSizeBytes;
  }
  if (fsync) fsyncSync(fd);
}
