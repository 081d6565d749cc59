import { chmodSync, statfsSync } from 'node:fs';
import os from 'node:os';
import { makeDirectory } from '../support/disks/directory.js';
import { LOOP_TOOLS, mountLoop } from '../support/disks/loop.js';
import { mountTmpfs } from '../support/disks/mount.js';

/** A filesystem to measure. */
export interface Ground {
  readonly name: string;
  /** For `needs`. */
  readonly tools: readonly string[];
  /** Creates an empty directory for one test, writable for everyone. */
  readonly make: () => string;
}

const TMPFS_MAGIC = 0x01021994;

const loops: readonly Ground[] = (['ext4', 'xfs', 'btrfs'] as const).map((filesystem) => ({
  name: filesystem,
  tools: [...LOOP_TOOLS, `mkfs.${filesystem}`],
  make: () => mountLoop(filesystem),
}));

const workingDisk: Ground = {
  name: 'the working disk',
  tools: ['root'],
  make: () => {
    const directory = makeDirectory(os.tmpdir());
    chmodSync(directory, 0o777);
    return directory;
  },
};

/** Those with a device, provided that the machine's temporary directory has one. */
export const DISKS: readonly Ground[] =
  statfsSync(os.tmpdir()).type === TMPFS_MAGIC ? loops : [...loops, workingDisk];

export const TMPFS: Ground = {
  name: 'tmpfs',
  tools: ['root', 'mount'],
  make: () => mountTmpfs('size=512m'),
};
