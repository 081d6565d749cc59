import { constants } from 'node:fs';
import { bufferedInput, unbufferedInput } from '../files/byte-stream.js';
import { type SliceFile, sliceJob } from '../files/slice-file.js';
import { OPERATIONS, READ_BYTES, STOP } from '../protocol.js';
import { byteWiseEnd, streamSetup } from './byte-wise.js';
import type { Phase, PhaseContext } from './phase.js';

/** Reads the slice, or the first part of it, byte by byte. */
export const getc: Phase = {
  name: 'getc',
  title: 'Per-Byte Read',
  done: 'Read',
  figure: 'bytes',
  dataset: 'data',
  access: 'uses',
  moves: 'bytes',
  runBy: 'threads',
  ends: 'work',
  order: 'sequential',
  coldCache: true,
  durable: false,

  prepare(context) {
    return sliceJob(
      { ...context, transfer: { ...context.transfer, direct: false } },
      constants.O_RDONLY,
      loop,
    );
  },
};

function loop(file: SliceFile, context: PhaseContext): void {
  const { transfer, data, blockRegion, flags, progress } = context;
  const { blockSizeBytes } = transfer;
  const end = byteWiseEnd(file, transfer);
  const makeStream = transfer.byteMode === 'syscall' ? unbufferedInput : bufferedInput;
  const stream = makeStream(streamSetup(file, context));
  let bytes = progress[OPERATIONS] ?? 0;
  for (let position = file.slice.offsetBytes; position < end; position += blockSizeBytes) {
    stream.move(blockRegion);
    // A stopped stream has not filled the block, so it cannot be checked.
    if (Atomics.load(flags, STOP) !== 0) return;
    data.checkBlock(blockRegion, position, file.slice, bytes / blockSizeBytes);
    bytes += blockSizeBytes;
    progress[OPERATIONS] = bytes;
    progress[READ_BYTES] = bytes;
  }
}
