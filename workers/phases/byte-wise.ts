import { constants, fsyncSync } from 'node:fs';
import {
  type ByteStreamSetup,
  bufferedInput,
  bufferedOutput,
  unbufferedInput,
  unbufferedOutput,
} from '../files/byte-stream.js';
import { type SliceFile, sliceJob } from '../files/slice-file.js';
import { goesOn, isStopped, OPERATIONS, READ_BYTES, WRITTEN_BYTES } from '../protocol.js';
import type { Job, Phase, PhaseContext } from './phase.js';

const facts = {
  primaryRate: 'bytes',
  dataset: 'data',
  moves: 'bytes',
  runBy: 'threads',
  ends: 'work',
  order: 'sequential',
} as const;

/** Writes the slice, or the first part of it, byte by byte. */
export const putc: Phase = {
  ...facts,
  name: 'putc',
  title: 'Per-Byte Write',
  done: 'Written',
  access: 'creates',
  coldCache: false,
  durable: true,
  prepare: (context) => bufferedJob(context, constants.O_WRONLY, writeBytes),
};

/** Reads the slice, or the first part of it, byte by byte. */
export const getc: Phase = {
  ...facts,
  name: 'getc',
  title: 'Per-Byte Read',
  done: 'Read',
  access: 'uses',
  coldCache: true,
  durable: false,
  prepare: (context) => bufferedJob(context, constants.O_RDONLY, readBytes),
};

/** Single bytes go through the page cache even with --direct. */
function bufferedJob(context: PhaseContext, openFlags: number, loop: Parameters<typeof sliceJob>[2]): Job {
  return sliceJob({ ...context, transfer: { ...context.transfer, direct: false } }, openFlags, loop);
}

function writeBytes(file: SliceFile, context: PhaseContext): void {
  const { transfer, data, flags, progress } = context;
  const { blockSizeBytes, fsync } = transfer;
  const end = endOf(file, context);
  const makeStream = transfer.byteMode === 'syscall' ? unbufferedOutput : bufferedOutput;
  const stream = makeStream(setupOf(file, context));
  let bytes = progress[OPERATIONS] ?? 0;
  for (
    let position = file.slice.offsetBytes;
    position < end && goesOn(flags, bytes / blockSizeBytes);
    position += blockSizeBytes
  ) {
    stream.move(data.blockAt(position, file.slice));
    if (isStopped(flags)) return;
    bytes += blockSizeBytes;
    progress[OPERATIONS] = bytes;
    progress[WRITTEN_BYTES] = bytes;
  }
  stream.end();
  if (fsync) fsyncSync(file.fd);
}

function readBytes(file: SliceFile, context: PhaseContext): void {
  const { transfer, data, blockRegion, flags, progress } = context;
  const { blockSizeBytes } = transfer;
  const end = endOf(file, context);
  const makeStream = transfer.byteMode === 'syscall' ? unbufferedInput : bufferedInput;
  const stream = makeStream(setupOf(file, context));
  let bytes = progress[OPERATIONS] ?? 0;
  for (
    let position = file.slice.offsetBytes;
    position < end && goesOn(flags, bytes / blockSizeBytes);
    position += blockSizeBytes
  ) {
    stream.move(blockRegion);
    // A stopped stream has not filled the block, so it cannot be checked.
    if (isStopped(flags)) return;
    data.checkBlock(blockRegion, position, file.slice, bytes / blockSizeBytes);
    bytes += blockSizeBytes;
    progress[OPERATIONS] = bytes;
    progress[READ_BYTES] = bytes;
  }
}

/** The end of the part of the slice that is moved byte by byte. */
function endOf({ slice }: SliceFile, { transfer }: PhaseContext): number {
  return slice.offsetBytes + Math.min(transfer.byteWiseBytes, slice.lengthBytes);
}

function setupOf(
  { fd, slice }: SliceFile,
  { transfer, lock, progress, latency, flags }: PhaseContext,
): ByteStreamSetup {
  return {
    fd,
    positionBytes: slice.offsetBytes,
    lock: transfer.byteMode === 'locked' ? lock : null,
    progress,
    latency,
    flags,
  };
}
