import { constants } from 'node:fs';
import { inputStream, outputStream } from '../files/byte-stream.js';
import { readAll } from '../files/read-write.js';
import {
  forEachBlock,
  prepareSequential,
  type SliceFile,
  syncAtEnd,
  writeBlock,
} from '../files/slice-file.js';
import { isStopped, READ_BYTES, WRITTEN_BYTES } from '../protocol.js';
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
  coldCache: false,
  prepare: (context) => prepareSequential(context, constants.O_WRONLY, writeLoop),
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
  coldCache: true,
  prepare: (context) => prepareSequential(context, constants.O_RDONLY, readLoop),
};

/** Reads the slice block by block, changes a value in each block and writes it back. */
const rewrite: Phase = {
  ...read,
  name: 'rewrite',
  title: 'Rewrite',
  amountLabel: 'Rewritten',
  prepare: (context) => prepareSequential(context, constants.O_RDWR, rewriteLoop),
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

export const sequentialPhases: readonly Phase[] = [putc, write, overwrite, rewrite, getc, read];

function writeLoop(file: SliceFile, context: PhaseContext): void {
  const { fd, slice } = file;
  const { transfer, data, latency } = context;
  forEachBlock(file, context, [WRITTEN_BYTES], (position) => {
    const block = data.blockAt(position, slice);
    const startNs = latency.begin();
    writeBlock(fd, block, position, transfer);
    latency.end(startNs);
  });
  syncAtEnd(fd, context);
}

function rewriteLoop(file: SliceFile, context: PhaseContext): void {
  const { fd, slice } = file;
  const { transfer, data, blockRegion, latency } = context;
  forEachBlock(file, context, [READ_BYTES, WRITTEN_BYTES], (position, operation) => {
    const startNs = latency.begin();
    readAll(fd, blockRegion, position);
    data.checkBlock(blockRegion, position, slice, operation);
    data.change(blockRegion, operation);
    writeBlock(fd, blockRegion, position, transfer);
    latency.end(startNs);
  });
  syncAtEnd(fd, context);
}

function readLoop(file: SliceFile, context: PhaseContext): void {
  const { data, blockRegion, latency } = context;
  forEachBlock(file, context, [READ_BYTES], (position, operation) => {
    const startNs = latency.begin();
    readAll(file.fd, blockRegion, position);
    latency.end(startNs);
    data.checkBlock(blockRegion, position, file.slice, operation);
  });
}

/** Opens the files without O_DIRECT: single bytes go through the page cache even with --direct. */
function prepareBytes(
  context: PhaseContext,
  openFlags: number,
  loop: (file: SliceFile, context: PhaseContext) => void,
): PreparedPhase {
  const transfer = { ...context.transfer, direct: false };
  const slices = context.slices.map((slice) => {
    return { ...slice, lengthBytes: Math.min(slice.lengthBytes, transfer.byteWiseBytes) };
  });
  return prepareSequential({ ...context, slices, transfer }, openFlags, loop);
}

function writeBytes(file: SliceFile, context: PhaseContext): void {
  const { fd, slice } = file;
  const { transfer, data, flags } = context;
  const stream = outputStream({ ...context, ...transfer, fd, positionBytes: slice.offsetBytes });
  const move = (position: number) => stream.move(data.blockAt(position, slice));
  forEachBlock(file, context, [WRITTEN_BYTES], move, transfer.blockSizeBytes);
  if (isStopped(flags)) return;
  stream.end();
  syncAtEnd(fd, context);
}

function readBytes(file: SliceFile, context: PhaseContext): void {
  const { fd, slice } = file;
  const { transfer, data, blockRegion, flags } = context;
  const stream = inputStream({ ...context, ...transfer, fd, positionBytes: slice.offsetBytes });
  const move = (position: number, block: number) => {
    stream.move(blockRegion);
    // A stopped stream has not filled the block.
    if (!isStopped(flags)) data.checkBlock(blockRegion, position, slice, block);
  };
  forEachBlock(file, context, [READ_BYTES], move, transfer.blockSizeBytes);
}
