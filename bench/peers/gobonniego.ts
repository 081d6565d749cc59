import { GIB } from '../../src/text/units.js';
import { runChild } from '../measuring/child.js';
import { figuresOf } from './gobonniego-document.js';
import { installedVersion } from './installed.js';
import type { Peer } from './peer.js';

/** It always uses blocks of 64 KiB, random operations of 512 bytes, and the page cache. */
const BLOCK_SIZE_BYTES = 65_536;
const IO_SIZE_BYTES = 512;

export const gobonniego: Peer = {
  name: 'gobonniego',
  version: (signal) => installedVersion(['gobonniego', '-version'], signal),
  can: ({ direct, asProcesses }) => !direct && !asProcesses,
  async measure({ threads, sizeBytes, blockSizeBytes, ioSizeBytes, iopsDurationSeconds }, directory, signal) {
    const { stdout } = await runChild(
      [
        ...(['gobonniego', '-dir', directory, '-size', `${sizeBytes / GIB}`] as const),
        ...['-threads', `${threads}`, '-iops-duration', `${iopsDurationSeconds}`, '-json'],
      ],
      signal,
    );
    const { write, read, iops } = figuresOf(stdout);
    return {
      ...(blockSizeBytes === BLOCK_SIZE_BYTES ? { write, read } : {}),
      ...(ioSizeBytes === IO_SIZE_BYTES ? { iops } : {}),
    };
  },
};
