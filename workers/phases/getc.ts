import { constants } from 'node:fs';
import { bufferedInput, unbufferedInput } from '../files/byte-stream.js';
import { type SliceFile, sliceJob } from '../files/slice-file.js';
import { OPERATIONS, READ_BYTES, STOP } from '../protocol.js';
import { byteWiseEnd, streamSetup } from './byte-wise.js';
import type { Phase, Station } from './phase.js';

/** Reads the slice, or the first part of it, byte by byte. */
export const getc: Phase = {
  name: 'getc',
  title: 'Per-Byte Read',
  done: 'Read',
  figure: 'bytes',
  stock: 'data',
  use: 'needs',
  moves: 'bytes',
  team: 'threads',
  ends: 'work',
  order: 'sequential',
  coldCache: true,
  durable: false,

  prepare(station) {
    return sliceJob(
      { ...station, transfer: { ...station.transfer, direct: false } },
      constants.O_RDONLY,
      loop,
    );
  },
};

function loop(file: SliceFile, station: Station): void {
  const { transfer, manner, data, blockRegion, flags, progress } = station;
  const { blockSizeBytes } = transfer;
  const end = byteWiseEnd(file, manner);
  const makeStream = manner.byteMode === 'syscall' ? unbufferedInput : bufferedInput;
  const stream = makeStream(streamSetup(file, station));
  let bytes = progress[OPERATIONS] ?? 0;
  for (let position = file.slice.offsetBytes; position < end; position += blockSizeBytes) {
    stream.move(blockRegion);
    // What was stopped in the midst of a block has no block to be judged.
    if (Atomics.load(flags, STOP) !== 0) return;
    data.checkBlock(blockRegion, position, file.slice, bytes / blockSizeBytes);
    bytes += blockSizeBytes;
    progress[OPERATIONS] = bytes;
    progress[READ_BYTES] = bytes;
  }
}
