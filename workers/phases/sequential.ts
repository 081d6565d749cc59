import { constants } from 'node:fs';
import { readAll, writeAll } from '../files/read-write.js';
import { prepareSequential, type SliceFile, syncAtEnd, syncCall } from '../files/slice-file.js';
import { mayContinue, OPERATIONS, POSITION, READ_BYTES, WRITTEN_BYTES } from '../protocol.js';
import type { Phase, PhaseContext } from './phase.js';

const common = {
  primaryRate: 'bytes',
  dataset: 'data',
  ioUnit: 'blocks',
  runBy: 'threads',
  order: 'sequential',
} as const;

/** Writes the slice block by block into the empty file that the run has created. */
export const write: Phase = {
  ...common,
  name: 'write',
  title: 'Sequential Write',
  amountLabel: 'Written',
  access: 'creates',
  coldCache: false,
  prepare: (context) => prepareSequential(context, constants.O_WRONLY, writeLoop),
};

/** Writes the slice block by block into the file that an earlier phase has written. */
export const overwrite: Phase = {
  ...write,
  name: 'overwrite',
  title: 'Sequential Overwrite',
  access: 'uses',
};

/** Reads the slice block by block, changes a value in each block and writes it back. */
export const rewrite: Phase = {
  ...common,
  name: 'rewrite',
  title: 'Rewrite',
  amountLabel: 'Rewritten',
  access: 'uses',
  coldCache: true,
  prepare: (context) => prepareSequential(context, constants.O_RDWR, rewriteLoop),
};

/** Reads the slice block by block and compares some or all blocks with the written data. */
export const read: Phase = {
  ...common,
  name: 'read',
  title: 'Sequential Read',
  amountLabel: 'Read',
  access: 'uses',
  coldCache: true,
  prepare: (context) => prepareSequential(context, constants.O_RDONLY, readLoop),
};

function writeLoop({ fd, slice }: SliceFile, context: PhaseContext): void {
  const { transfer, data, flags, progress, latency } = context;
  const { blockSizeBytes, strideBytes, syncPerWrite } = transfer;
  const sync = syncCall(syncPerWrite);
  const end = slice.offsetBytes + slice.lengthBytes;
  let operations = progress[OPERATIONS] ?? 0;
  let position = slice.offsetBytes;
  while (position < end && mayContinue(flags, operations)) {
    progress[POSITION] = position;
    const block = data.blockAt(position, slice);
    const startNs = latency.begin();
    writeAll(fd, block, position);
    if (sync) sync(fd);
    latency.end(startNs);
    position += strideBytes;
    operations++;
    progress[OPERATIONS] = operations;
    progress[WRITTEN_BYTES] = operations * blockSizeBytes;
  }
  syncAtEnd(fd, context);
}

function rewriteLoop({ fd, slice }: SliceFile, context: PhaseContext): void {
  const { transfer, data, blockRegion, flags, progress, latency } = context;
  const { blockSizeBytes, strideBytes, syncPerWrite } = transfer;
  const sync = syncCall(syncPerWrite);
  const end = slice.offsetBytes + slice.lengthBytes;
  let operations = progress[OPERATIONS] ?? 0;
  let position = slice.offsetBytes;
  while (position < end && mayContinue(flags, operations)) {
    progress[POSITION] = position;
    const startNs = latency.begin();
    readAll(fd, blockRegion, position);
    data.checkBlock(blockRegion, position, slice, operations);
    data.change(blockRegion, operations);
    writeAll(fd, blockRegion, position);
    if (sync) sync(fd);
    latency.end(startNs);
    position += strideBytes;
    operations++;
    progress[OPERATIONS] = operations;
    progress[READ_BYTES] = operations * blockSizeBytes;
    progress[WRITTEN_BYTES] = operations * blockSizeBytes;
  }
  syncAtEnd(fd, context);
}

function readLoop(
  { fd, slice }: SliceFile,
  { transfer, data, blockRegion, flags, progress, latency }: PhaseContext,
): void {
  const { blockSizeBytes, strideBytes } = transfer;
  const end = slice.offsetBytes + slice.lengthBytes;
  let operations = progress[OPERATIONS] ?? 0;
  let position = slice.offsetBytes;
  while (position < end && mayContinue(flags, operations)) {
    progress[POSITION] = position;
    const startNs = latency.begin();
    readAll(fd, blockRegion, position);
    latency.end(startNs);
    data.checkBlock(blockRegion, position, slice, operations);
    position += strideBytes;
    operations++;
    progress[OPERATIONS] = operations;
    progress[READ_BYTES] = operations * blockSizeBytes;
  }
}
