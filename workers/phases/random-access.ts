import { constants } from 'node:fs';
import { syncCalls } from '../files/slice-file.js';
import { prepareBlocks } from './block-source.js';
import type { Phase } from './phase.js';

/** seeks changes one block in ten and writes it back. */
const CHANGED_PERCENT = 10;

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
    prepareBlocks(context, constants.O_RDWR, {
      strideBytes: context.blockBytes,
      writePercent: CHANGED_PERCENT,
      writeCalls: ['read', 'write', ...syncCalls(context)],
      writeLatency: context.latency,
      sharedOperations: context.transfer.seeks,
      syncsAtEnd: false,
    }),
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
    prepareBlocks(context, constants.O_RDWR, {
      strideBytes: context.transfer.alignBytes,
      writePercent: 100 - context.transfer.readPercent,
      writeCalls: ['write', ...syncCalls(context)],
      writeLatency: context.writeLatency,
      syncsAtEnd: true,
    }),
};

/** gobonniego's name of the random phase. */
const iops: Phase = { ...random, name: 'iops', title: 'IOPS' };

export const randomPhases: readonly Phase[] = [seeks, random, iops];
