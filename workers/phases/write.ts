import { constants, fsyncSync } from 'node:fs';
import { type SliceFile, sliceJob } from '../files/slice-file.js';
import { writeAll } from '../files/transfer.js';
import { OPERATIONS, POSITION, STOP, WRITTEN_BYTES } from '../protocol.js';
import type { Phase, PhaseContext } from './phase.js';

/** Writes the slice block by block into the empty file that the run has created. */
export const write: Phase = {
  name: 'write',
  title: 'Sequential Write',
  done: 'Written',
  figure: 'bytes',
  dataset: 'data',
  access: 'creates',
  moves: 'blocks',
  runBy: 'threads',
  ends: 'work',
  order: 'sequential',
  coldCache: false,
  durable: true,
  prepare: (context) => sliceJob(context, constants.O_WRONLY, loop),
};

function loop({ fd, slice }: SliceFile, { transfer, data, flags, progress, latency }: PhaseContext): void {
  const { blockSizeBytes, fsync, syncEach } = transfer;
  const end = slice.offsetBytes + slice.lengthBytes;
  let operations = progress[OPERATIONS] ?? 0;
  for (let position = slice.offsetBytes; position < end; position += blockSizeBytes) {
    if (Atomics.load(flags, STOP) !== 0) return;
    progress[POSITION] = position;
    const block = data.blockAt(position, slice);
    const began = latency.begin();
    writeAll(fd, block, position);
    if (syncEach) fsyncSync(fd);
    latency.end(began);
    operations++;
    progress[OPERATIONS] = operations;
    progress[WRITTEN_BYTES] = operations * blockSizeBytes;
  }
  if (fsync) fsyncSync(fd);
}
