import { constants } from 'node:fs';
import {
  type ByteStreamSetup,
  bufferedInput,
  bufferedOutput,
  unbufferedInput,
  unbufferedOutput,
} from '../files/byte-stream.js';
import { prepareSequential, type SliceFile, syncAtEnd } from '../files/slice-file.js';
import { isStopped, mayContinue, OPERATIONS, READ_BYTES, WRITTEN_BYTES } from '../protocol.js';
import type { Phase, PhaseContext, PreparedPhase } from './phase.js';

const common = {
  primaryRate: 'bytes',
  dataset: 'data',
  ioUnit: 'bytes',
  runBy: 'threads',
  order: 'sequential',
} as const;

/** Writes the slice, or the first part of it, byte by byte. */
export const putc: Phase = {
  ...common,
  name: 'putc',
  title: 'Per-Byte Write',
  amountLabel: 'Written',
  access: 'creates',
  coldCache: false,
  prepare: (context) => prepareBuffered(context, constants.O_WRONLY, writeBytes),
};

/** Reads the slice, or the first part of it, byte by byte. */
export const getc: Phase = {
  ...common,
  name: 'getc',
  title: 'Per-Byte Read',
  amountLabel: 'Read',
  access: 'uses',
  coldCache: true,
  prepare: (context) => prepareBuffered(context, constants.O_RDONLY, readBytes),
};

/** Opens the files without O_DIRECT: single bytes go through the page cache even with --direct. */
function prepareBuffered(
  context: PhaseContext,
  openFlags: number,
  loop: Parameters<typeof prepareSequential>[2],
): PreparedPhase {
  return prepareSequential({ ...context, transfer: { ...context.transfer, direct: false } }, openFlags, loop);
}

function writeBytes(file: SliceFile, context: PhaseContext): void {
  const { transfer, data, flags } = context;
  const makeStream = transfer.byteMode === 'syscall' ? unbufferedOutput : bufferedOutput;
  const stream = makeStream(streamSetup(file, context));
  forEachBlock(file, context, WRITTEN_BYTES, (position) => stream.move(data.blockAt(position, file.slice)));
  if (isStopped(flags)) return;
  stream.end();
  syncAtEnd(file.fd, context);
}

function readBytes(file: SliceFile, context: PhaseContext): void {
  const { transfer, data, blockRegion, flags } = context;
  const makeStream = transfer.byteMode === 'syscall' ? unbufferedInput : bufferedInput;
  const stream = makeStream(streamSetup(file, context));
  forEachBlock(file, context, READ_BYTES, (position, operation) => {
    stream.move(blockRegion);
    // A stopped stream has not filled the block.
    if (!isStopped(flags)) data.checkBlock(blockRegion, position, file.slice, operation);
  });
}

/** Calls `move` for each block of the part of the slice that is moved byte by byte. Counts the bytes of each block. */
function forEachBlock(
  { slice }: SliceFile,
  { transfer, flags, progress }: PhaseContext,
  bytesWord: number,
  move: (position: number, operation: number) => void,
): void {
  const { blockSizeBytes, byteWiseBytes } = transfer;
  const end = slice.offsetBytes + Math.min(byteWiseBytes, slice.lengthBytes);
  let bytes = progress[OPERATIONS] ?? 0;
  let position = slice.offsetBytes;
  while (position < end && mayContinue(flags, bytes / blockSizeBytes)) {
    move(position, bytes / blockSizeBytes);
    if (isStopped(flags)) return;
    position += blockSizeBytes;
    bytes += blockSizeBytes;
    progress[OPERATIONS] = bytes;
    progress[bytesWord] = bytes;
  }
}

function streamSetup({ fd, slice }: SliceFile, context: PhaseContext): ByteStreamSetup {
  const lock = context.transfer.byteMode === 'locked' ? context.lock : null;
  return { ...context, fd, positionBytes: slice.offsetBytes, lock };
}
