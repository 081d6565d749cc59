import { closeSync, constants, ftruncateSync, openSync } from 'node:fs';
import { inputStream, outputStream } from '../files/byte-stream.js';
import { prepareFiles, type SliceFile, syncAtEnd, syncCalls } from '../files/slice-file.js';
import {
  isStopped,
  mayContinue,
  NO_FOLLOW,
  OPERATIONS,
  POSITION,
  READ_BYTES,
  SLICE_INDEX,
  WRITTEN_BYTES,
} from '../protocol.js';
import { type BlockWork, prepareBlocks } from './block-source.js';
import type { Phase, PhaseContext, PreparedPhase } from './phase.js';

/** Writes the slice block by block into the empty file that the run has created. */
const write: Phase = {
  name: 'write',
  title: 'Sequential Write',
  amountLabel: 'Written',
  primaryRate: 'bytes',
  dataset: 'data',
  access: 'creates',
  ioUnit: 'blocks',
  runBy: 'threads',
  order: 'sequential',
  readPercent: 0,
  coldCache: false,
  prepare: (context) => prepareSlices(context, constants.O_WRONLY, ['write', ...syncCalls(context)]),
};

/**
 * Writes the slice into a new file of its final size, like fio and databases, which allocate a log before they write it:
 * the writes take new blocks, but the file does not grow.
 */
const writeNew: Phase = {
  ...write,
  name: 'write-new',
  title: 'Sequential Write to a New File',
  prepare(context) {
    for (const { file, offsetBytes, lengthBytes } of context.slices) {
      const fd = openSync(file, constants.O_WRONLY | NO_FOLLOW);
      ftruncateSync(fd, offsetBytes + lengthBytes);
      closeSync(fd);
    }
    return write.prepare(context);
  },
};

/** Writes file after file, and checks after each one that the disk has kept them all. */
const fill: Phase = {
  ...write,
  name: 'fill',
  title: 'Fill',
  prepare: (context) => prepareSlices(context, constants.O_RDWR, ['write', ...syncCalls(context)], true),
};

/** Writes the slice block by block into the file that an earlier phase has written. */
const overwrite: Phase = {
  ...write,
  name: 'overwrite',
  title: 'Sequential Overwrite',
  access: 'uses',
};

/** Reads the slice block by block and compares some or all blocks with the written data. */
const read: Phase = {
  ...write,
  name: 'read',
  title: 'Sequential Read',
  amountLabel: 'Read',
  access: 'uses',
  readPercent: 100,
  coldCache: true,
  prepare: (context) => prepareSlices(context, constants.O_RDONLY, null),
};

/** Reads the slice block by block, changes a value in each block and writes it back. */
const rewrite: Phase = {
  ...read,
  name: 'rewrite',
  title: 'Rewrite',
  amountLabel: 'Rewritten',
  readPercent: 50,
  prepare: (context) => prepareSlices(context, constants.O_RDWR, ['read', 'write', ...syncCalls(context)]),
};

/** Writes the slice, or the first part of it, byte by byte. */
const putc: Phase = {
  ...write,
  name: 'putc',
  title: 'Per-Byte Write',
  ioUnit: 'bytes',
  prepare: (context) => prepareBytes(context, constants.O_WRONLY, writeBytes),
};

/** Reads the slice, or the first part of it, byte by byte. */
const getc: Phase = {
  ...read,
  name: 'getc',
  title: 'Per-Byte Read',
  ioUnit: 'bytes',
  prepare: (context) => prepareBytes(context, constants.O_RDONLY, readBytes),
};

export const sequentialPhases: readonly Phase[] = [
  putc,
  write,
  writeNew,
  fill,
  overwrite,
  rewrite,
  getc,
  read,
];

/** Writes or rewrites every block, or reads it. */
function prepareSlices(
  context: PhaseContext,
  openFlags: number,
  calls: BlockWork['writeCalls'] | null,
  checksWritten = false,
): PreparedPhase {
  return prepareBlocks(context, openFlags, {
    strideBytes: context.transfer.strideBytes,
    writePercent: calls ? 100 : 0,
    writeCalls: calls ?? ['write'],
    writeLatency: context.latency,
    syncsAtEnd: true,
    checksWritten,
  });
}

/** Opens the files without O_DIRECT: single bytes go through the page cache even with --direct. */
function prepareBytes(
  context: PhaseContext,
  openFlags: number,
  loop: (file: SliceFile, context: PhaseContext) => void,
): PreparedPhase {
  const transfer = { ...context.transfer, direct: false };
  return prepareFiles({ ...context, transfer }, openFlags, (files) => {
    for (const [index, file] of files.entries()) {
      context.progress[SLICE_INDEX] = index;
      loop(file, context);
    }
  });
}

function writeBytes(file: SliceFile, context: PhaseContext): void {
  const { fd, slice } = file;
  const { data, flags } = context;
  const stream = outputStream({ ...context, fd, positionBytes: slice.offsetBytes });
  forEachBlock(file, context, WRITTEN_BYTES, (position) => stream.move(data.blockAt(position, slice)));
  if (isStopped(flags)) return;
  stream.end();
  syncAtEnd(fd, context);
}

function readBytes(file: SliceFile, context: PhaseContext): void {
  const { fd, slice } = file;
  const { data, slotMemory, flags, blockBytes } = context;
  const block = slotMemory(0, blockBytes);
  const stream = inputStream({ ...context, fd, positionBytes: slice.offsetBytes });
  forEachBlock(file, context, READ_BYTES, (position, index) => {
    stream.move(block);
    // A stopped stream has not filled the block.
    if (!isStopped(flags)) data.checkBlock(block, position, slice, index);
  });
}

/** Calls `move` for each block of the part of the slice that is moved byte by byte. Counts the bytes of each block. */
function forEachBlock(
  { slice }: SliceFile,
  { transfer, flags, progress }: PhaseContext,
  bytesWord: number,
  move: (position: number, index: number) => void,
): void {
  const { blockSizeBytes, strideBytes, byteWiseBytes } = transfer;
  const end = slice.offsetBytes + Math.min(byteWiseBytes, slice.lengthBytes);
  let blocks = (progress[OPERATIONS] ?? 0) / blockSizeBytes;
  for (let position = slice.offsetBytes; position < end && mayContinue(flags, blocks); blocks++) {
    progress[POSITION] = position;
    move(position, blocks);
    position += strideBytes;
    progress[OPERATIONS] = (blocks + 1) * blockSizeBytes;
    progress[bytesWord] = (blocks + 1) * blockSizeBytes;
  }
}
