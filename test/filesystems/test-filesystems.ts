import { chmodSync, statfsSync } from 'node:fs';
import os from 'node:os';
import { makeDirectory } from '../support/disks/directory.js';
import { LOOP_TOOLS, mountLoop } from '../support/disks/loop.js';
import { mountTmpfs } from '../support/disks/mounts.js';

const TMPFS_MAGIC = 0x01021994;

const loops = (['ext4', 'xfs', 'btrfs'] as const).map((filesystem) => ({
  name: filesystem,
  tools: [...LOOP_TOOLS, `mkfs.${filesystem}`],
  make: () => mountLoop(filesystem),
}));

const temporaryDirectory = {
  name: 'the temporary directory',
  tools: ['root'],
  make: () => {
    const directory = makeDirectory(os.tmpdir());
    chmodSync(directory, 0o777);
    return directory;
  },
};

/**
 * Filesystems on a device, including the machine's temporary directory unless it is in RAM. `make` creates an empty,
 * world-writable directory for one test, and needs `tools`.
 */
export const DISKS = statfsSync(os.tmpdir()).type === TMPFS_MAGIC ? loops : [...loops, temporaryDirectory];

export const TMPFS = {
  name: 'tmpfs',
  tools: ['root', 'mount'],
  make: () => mountTmpfs('size=512m'),
};
