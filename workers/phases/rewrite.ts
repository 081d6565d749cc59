import { constants, fsyncSync } from 'node:fs';
import { type SliceFile, sliceJob } from '../files/slice-file.js';
import { readAll, writeAll } from '../files/transfer.js';
import { OPERATIONS, POSITION, READ_BYTES, STOP, WRITTEN_BYTES } from '../protocol.js';
import type { Phase, PhaseContext } from './phase.js';

/** Reads the slice block by block, changes a value in each block and writes it back. */
export const rewrite: Phase = {
  name: 'rewrite',
  title: 'Rewrite',
  done: 'Rewritten',
  figure: 'bytes',
  dataset: 'data',
  access: 'uses',
  moves: 'blocks',
  runBy: 'threads',
  ends: 'work',
  order: 'sequential',
  coldCache: true,
  durable: true,
  prepare: (context) => sliceJob(context, constants.O_RDWR, loop),
};

function loop(
  { fd, slice }: SliceFile,
  { transfer, data, blockRegion, flags, progress, latency }: PhaseContext,
): void {
  const { blockSizeBytes, fsync, syncEach } = transfer;
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
