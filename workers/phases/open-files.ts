import { closeSync, constants, openSync } from 'node:fs';
import { DIRECT_FLAG, NO_FOLLOW } from '../protocol.js';
import type { Phase } from './phase.js';
import { toolPhase } from './tool-phase.js';

/** Enough that a device does not answer from the data of a few blocks. */
export const OPENED_FILES = 1000;

/** Opens a small file at random, reads it and closes it, again and again. */
export const open: Phase = toolPhase(
  {
    name: 'open',
    title: 'Open and Read a File',
    amountLabel: 'files',
    dataset: 'single-phase',
    access: 'creates',
    ioUnit: 'random-blocks',
    order: 'random',
    readPercent: 100,
    coldCache: true,
  },
  (thread) => {
    const { random, transfer, slotMemory } = thread.context;
    const memory = slotMemory(0, transfer.ioSizeBytes);
    const files = Array.from({ length: OPENED_FILES }, (_, index) => `${thread.directory.root}/${index}`);
    for (const file of files) thread.createFile(file, memory.length);
    const flags = constants.O_RDONLY | NO_FOLLOW | (transfer.direct ? (DIRECT_FLAG ?? 0) : 0);
    return () => {
      while (thread.mayContinue()) {
        const file = files[random.below(OPENED_FILES)] ?? '';
        thread.begin(file);
        const fd = openSync(file, flags);
        thread.read(fd, memory, 0);
        closeSync(fd);
        thread.end();
      }
    };
  },
);
