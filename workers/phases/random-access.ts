import { constants } from 'node:fs';
import { type SliceFile, syncAtEnd, syncCalls } from '../files/slice-file.js';
import { WRITTEN_BYTES } from '../protocol.js';
import { type BlockLoop, type Calls, type Operation, prepareBlocks, READ } from './block-loop.js';
import type { Phase, PhaseContext } from './phase.js';

/** seeks changes one block in ten and writes it back. */
const CHANGE_EVERY = 10;
const PERCENT = 100;

/** Reads a fixed number of random blocks. The workers share them, so a faster worker reads more. */
const seeks: Phase = {
  name: 'seeks',
  title: 'Random Seeks',
  amountLabel: 'seeks',
  primaryRate: 'operations',
  dataset: 'data',
  access: 'uses',
  ioUnit: 'blocks',
  runBy: 'seek-threads',
  order: 'random',
  coldCache: true,
  prepare: (context) =>
    prepareBlocks(context, constants.O_RDWR, context.transfer.blockSizeBytes, (files, loop) =>
      runSeeks(files, loop, context),
    ),
};

/** Makes reads and writes at random offsets until the duration is over. */
const random: Phase = {
  ...seeks,
  name: 'random',
  title: 'Random I/O',
  amountLabel: 'operations',
  ioUnit: 'random-blocks',
  runBy: 'threads',
  prepare: (context) =>
    prepareBlocks(context, constants.O_RDWR, context.transfer.ioSizeBytes, (files, loop) =>
      runRandom(files, loop, context),
    ),
};

/** gobonniego's name of the random phase. */
const iops: Phase = { ...random, name: 'iops', title: 'IOPS' };

export const randomPhases: readonly Phase[] = [seeks, random, iops];

function runSeeks(files: readonly SliceFile[], loop: BlockLoop, context: PhaseContext): void {
  const { transfer, tickets } = context;
  const { blockSizeBytes, seeks } = transfer;
  const change: Calls = ['read', 'write', ...syncCalls(context)];
  loop.run({
    ...blockData(context),
    next(operation) {
      const ticket = Atomics.add(tickets, 0, 1);
      if (ticket >= seeks) return false;
      placeRandomly(operation, files, blockSizeBytes, blockSizeBytes, context);
      operation.calls = ticket % CHANGE_EVERY === 0 ? change : READ;
      return true;
    },
  });
}

/** Spreads the writes evenly: with 90 % reads, operations 0, 10, 20, … write, as in gobonniego. */
function runRandom(files: readonly SliceFile[], loop: BlockLoop, context: PhaseContext): void {
  const { transfer, progress, latency, writeLatency } = context;
  const { ioSizeBytes, alignBytes, readPercent } = transfer;
  const write: Calls = ['write', ...syncCalls(context)];
  const writePercent = PERCENT - readPercent;
  loop.run({
    ...blockData(context),
    next(operation) {
      placeRandomly(operation, files, ioSizeBytes, alignBytes, context);
      const isWrite = (operation.index * writePercent) % PERCENT < writePercent;
      operation.calls = isWrite ? write : READ;
      operation.latency = isWrite ? writeLatency : latency;
      return true;
    },
  });
  if (progress[WRITTEN_BYTES]) for (const { fd } of files) syncAtEnd(fd, context);
}

function blockData({ data }: PhaseContext) {
  return {
    dataFor: ({ positionBytes, file }: Operation) => data.randomBlockAt(positionBytes, file.slice),
    check: ({ memory, positionBytes, file }: Operation) =>
      data.checkRandomBlock(memory, positionBytes, file.slice),
  };
}

/** A single file draws no random number, so each seed keeps its offsets. */
function placeRandomly(
  operation: Operation,
  files: readonly SliceFile[],
  blockBytes: number,
  alignBytes: number,
  { random }: PhaseContext,
): void {
  const index = files.length === 1 ? 0 : random.below(files.length);
  const file = files[index] as SliceFile;
  const { slice } = file;
  const positions = Math.floor((slice.lengthBytes - blockBytes) / alignBytes) + 1;
  operation.file = file;
  operation.positionBytes = slice.offsetBytes + random.below(positions) * alignBytes;
}
