import { constants, fsyncSync } from 'node:fs';
import { bufferedOutput, unbufferedOutput } from '../files/byte-stream.js';
import { type SliceFile, sliceJob } from '../files/slice-file.js';
import { OPERATIONS, STOP, WRITTEN_BYTES } from '../protocol.js';
import { byteWiseEnd, streamSetup } from './byte-wise.js';
import type { Phase, Station } from './phase.js';

/** Writes the slice, or the first part of it, byte by byte. */
export const putc: Phase = {
  name: 'putc',
  title: 'Per-Byte Write',
  done: 'Written',
  figure: 'bytes',
  stock: 'data',
  use: 'makes',
  moves: 'bytes',
  team: 'threads',
  ends: 'work',
  order: 'sequential',
  coldCache: false,
  durable: true,

  prepare(station) {
    return sliceJob(
      { ...station, transfer: { ...station.transfer, direct: false } },
      constants.O_WRONLY,
      loop,
    );
  },
};

function loop(file: SliceFile, station: Station): void {
  const { transfer, manner, data, flags, progress } = station;
  const { blockSizeBytes, fsync } = transfer;
  const end = byteWiseEnd(file, manner);
  const makeStream = manner.byteMode === 'syscall' ? unbufferedOutput : bufferedOutput;
  const stream = makeStream(streamSetup(file, station));
  let bytes = progress[OPERATIONS] ?? 0;
  for (let position = file.slice.offsetBytes; position < end; position += blockSizeBytes) {
    stream.move(data.blockAt(position, file.slice));
    if (Atomics.load(flags, STOP) !== 0) return;
    bytes += blockSizeBytes;
    progress[OPERATIONS] = bytes;
    progress[WRITTEN_BYTES] = bytes;
  }
  stream.end();
  if (fsync) fsyncSync(file.fd);
}
