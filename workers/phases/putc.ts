import { constants, fsyncSync } from 'node:fs';
import { bufferedOutput, unbufferedOutput } from '../files/byte-stream.js';
import { type SliceFile, sliceJob } from '../files/slice-file.js';
import { OPERATIONS, STOP, WRITTEN_BYTES } from '../protocol.js';
import { byteWiseEnd, streamSetup } from './byte-wise.js';
import type { Phase, PhaseContext } from './phase.js';

/** Writes the slice, or the first part of it, byte by byte. */
export const putc: Phase = {
  name: 'putc',
  title: 'Per-Byte Write',
  done: 'Written',
  figure: 'bytes',
  dataset: 'data',
  access: 'creates',
  moves: 'bytes',
  runBy: 'threads',
  ends: 'work',
  order: 'sequential',
  coldCache: false,
  durable: true,

  prepare(context) {
    return sliceJob(
      { ...context, transfer: { ...context.transfer, direct: false } },
      constants.O_WRONLY,
      loop,
    );
  },
};

function loop(file: SliceFile, context: PhaseContext): void {
  const { transfer, data, flags, progress } = context;
  const { blockSizeBytes, fsync } = transfer;
  const end = byteWiseEnd(file, transfer);
  const makeStream = transfer.byteMode === 'syscall' ? unbufferedOutput : bufferedOutput;
  const stream = makeStream(streamSetup(file, context));
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
