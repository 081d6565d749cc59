import { constants } from 'node:fs';
import { readAll } from '../files/read-write.js';
import { pickFile, prepareFiles, type SliceFile, syncAtEnd, writeBlock } from '../files/slice-file.js';
import { mayContinue, OPERATIONS, POSITION, READ_BYTES, WRITTEN_BYTES } from '../protocol.js';
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
  prepare: (context) => prepareFiles(context, constants.O_RDWR, seeksLoop),
};

/** Makes reads and writes at random offsets until the duration is over. */
const random: Phase = {
  ...seeks,
  name: 'random',
  title: 'Random I/O',
  amountLabel: 'operations',
  ioUnit: 'random-blocks',
  runBy: 'threads',
  prepare: (context) => prepareFiles(context, constants.O_RDWR, randomLoop),
};

/** gobonniego's name of the random phase. */
const iops: Phase = { ...random, name: 'iops', title: 'IOPS' };

export const randomPhases: readonly Phase[] = [seeks, random, iops];

function seeksLoop(files: readonly SliceFile[], context: PhaseContext): void {
  const { transfer, data, blockRegion, random, flags, tickets, progress, latency } = context;
  const { blockSizeBytes, seeks } = transfer;
  let operations = 0;
  let changes = 0;
  while (mayContinue(flags, operations)) {
    const ticket = Atomics.add(tickets, 0, 1);
    if (ticket >= seeks) return;
    const { fd, slice } = pickFile(files, context);
    const blocks = slice.lengthBytes / blockSizeBytes;
    const position = slice.offsetBytes + random.below(blocks) * blockSizeBytes;
    progress[POSITION] = position;
    const startNs = latency.begin();
    readAll(fd, blockRegion, position);
    data.checkRandomBlock(blockRegion, position, slice);
    if (ticket % CHANGE_EVERY === 0) {
      data.change(blockRegion, operations);
      writeBlock(fd, blockRegion, position, transfer);
      changes++;
      progress[WRITTEN_BYTES] = changes * blockSizeBytes;
    }
    latency.end(startNs);
    operations++;
    progress[READ_BYTES] = operations * blockSizeBytes;
    progress[OPERATIONS] = operations;
  }
}

/** Spreads the writes evenly: with 90 % reads, operations 0, 10, 20, … write, as in gobonniego. */
function randomLoop(files: readonly SliceFile[], context: PhaseContext): void {
  const { transfer, data, randomBlockRegion, random, flags, progress, latency, writeLatency } = context;
  const { ioSizeBytes, alignBytes, readPercent } = transfer;
  const writePercent = PERCENT - readPercent;
  let operations = 0;
  let writes = 0;
  while (mayContinue(flags, operations)) {
    const { fd, slice } = pickFile(files, context);
    const positions = Math.floor((slice.lengthBytes - ioSizeBytes) / alignBytes) + 1;
    const position = slice.offsetBytes + random.below(positions) * alignBytes;
    progress[POSITION] = position;
    if ((operations * writePercent) % PERCENT < writePercent) {
      const randomBlock = data.randomBlockAt(position, slice);
      const startNs = writeLatency.begin();
      writeBlock(fd, randomBlock, position, transfer);
      writeLatency.end(startNs);
      writes++;
      progress[WRITTEN_BYTES] = writes * ioSizeBytes;
    } else {
      const startNs = latency.begin();
      readAll(fd, randomBlockRegion, position);
      latency.end(startNs);
      data.checkRandomBlock(randomBlockRegion, position, slice);
      progress[READ_BYTES] = (operations - writes + 1) * ioSizeBytes;
    }
    operations++;
    progress[OPERATIONS] = operations;
  }
  if (writes > 0) for (const { fd } of files) syncAtEnd(fd, context);
}
