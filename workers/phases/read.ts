import { constants } from 'node:fs';
import { type SliceFile, sliceJob } from '../files/slice-file.js';
import { readAll } from '../files/transfer.js';
import { OPERATIONS, POSITION, READ_BYTES, STOP } from '../protocol.js';
import type { Phase, PhaseContext } from './phase.js';

/** Reads the slice block by block and compares some or all blocks with what was written. */
export const read: Phase = {
  name: 'read',
  title: 'Sequential Read',
  done: 'Read',
  figure: 'bytes',
  dataset: 'data',
  access: 'uses',
  moves: 'blocks',
  runBy: 'threads',
  ends: 'work',
  order: 'sequential',
  coldCache: true,
  durable: false,
  prepare: (context) => sliceJob(context, constants.O_RDONLY, loop),
};

function loop(
  { fd, slice }: SliceFile,
  { transfer, data, blockRegion, flags, progress, latency }: PhaseContext,
): void {
  const { blockSizeBytes } = transfer;
  const end = slice.offsetBytes + slice.lengthBytes;
  let operations = progress[OPERATIONS] ?? 0;
  for (let position = slice.offsetBytes; position < end; position += blockSizeBytes) {
    if (Atomics.load(flags, STOP) !== 0) return;
    progress[POSITION] = position;
    const began = latency.begin();
    readAll(fd, blockRegion, position);
    latency.end(began);
    data.checkBlock(blockRegion, position, slice, operations);
    operations++;
    progress[OPERATIONS] = operations;
    progress[READ_BYTES] = operations * blockSizeBytes;
  }
}
