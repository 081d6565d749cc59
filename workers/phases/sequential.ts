import { constants, fsyncSync } from 'node:fs';
import { readAll, writeAll } from '../files/read-write.js';
import { prepareSequential, type SliceFile } from '../files/slice-file.js';
import { isStopped, mayContinue, OPERATIONS, POSITION, READ_BYTES, WRITTEN_BYTES } from '../protocol.js';
import type { Phase, PhaseContext } from './phase.js';

const common = {
  primaryRate: 'bytes',
  dataset: 'data',
  ioUnit: 'blocks',
  runBy: 'threads',
  endCondition: 'work',
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
  durable: true,
  prepare: (context) => prepareSequential(context, constants.O_WRONLY, writeLoop),
};

/** Reads the slice block by block, changes a value in each block and writes it back. */
export const rewrite: Phase = {
  ...common,
  name: 'rewrite',
  title: 'Rewrite',
  amountLabel: 'Rewritten',
  access: 'uses',
  coldCache: true,
  durable: true,
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
  durable: false,
  prepare: (context) => prepareSequential(context, constants.O_RDONLY, readLoop),
};

function writeLoop(file: SliceFile, context: PhaseContext): void {
  const { fd, slice } = file;
  const { transfer, data, progress, latency } = context;
  const { blockSizeBytes, fsyncPerWrite } = transfer;
  forEachBlock(file, context, (position, operation) => {
    const block = data.blockAt(position, slice);
    const startNs = latency.begin();
    writeAll(fd, block, position);
    if (fsyncPerWrite) fsyncSync(fd);
    latency.end(startNs);
    progress[WRITTEN_BYTES] = (operation + 1) * blockSizeBytes;
  });
  syncAtEnd(fd, context);
}

function rewriteLoop(file: SliceFile, context: PhaseContext): void {
  const { fd, slice } = file;
  const { transfer, data, blockRegion, progress, latency } = context;
  const { blockSizeBytes, fsyncPerWrite } = transfer;
  forEachBlock(file, context, (position, operation) => {
    const startNs = latency.begin();
    readAll(fd, blockRegion, position);
    data.checkBlock(blockRegion, position, slice, operation);
    data.change(blockRegion, operation);
    writeAll(fd, blockRegion, position);
    if (fsyncPerWrite) fsyncSync(fd);
    latency.end(startNs);
    progress[READ_BYTES] = (operation + 1) * blockSizeBytes;
    progress[WRITTEN_BYTES] = (operation + 1) * blockSizeBytes;
  });
  syncAtEnd(fd, context);
}

function readLoop(file: SliceFile, context: PhaseContext): void {
  const { fd, slice } = file;
  const { transfer, data, blockRegion, progress, latency } = context;
  forEachBlock(file, context, (position, operation) => {
    const startNs = latency.begin();
    readAll(fd, blockRegion, position);
    latency.end(startNs);
    data.checkBlock(blockRegion, position, slice, operation);
    progress[READ_BYTES] = (operation + 1) * transfer.blockSizeBytes;
  });
}

/** Calls `act` for each block of a slice, with the number of blocks before it in this phase. */
function forEachBlock(
  { slice }: SliceFile,
  { transfer, flags, progress }: PhaseContext,
  act: (position: number, operation: number) => void,
): void {
  const end = slice.offsetBytes + slice.lengthBytes;
  let operations = progress[OPERATIONS] ?? 0;
  for (
    let position = slice.offsetBytes;
    position < end && mayContinue(flags, operations);
    position += transfer.blockSizeBytes
  ) {
    progress[POSITION] = position;
    act(position, operations);
    operations++;
    progress[OPERATIONS] = operations;
  }
}

function syncAtEnd(fd: number, { transfer, flags }: PhaseContext): void {
  if (transfer.fsync && !isStopped(flags)) fsyncSync(fd);
}
