import { chmodSync, statfsSync } from 'node:fs';
import os from 'node:os';
import { makeDirectory } from '../support/disks/directory.js';
import { LOOP_TOOLS, mountLoop } from '../support/disks/loop.js';
import { mountTmpfs } from '../support/disks/mounts.js';

/** A filesystem to measure. */
interface TestFilesystem {
  readonly name: string;
  /** For `needs`. */
  readonly tools: readonly string[];
  /** Makes an empty directory for one test, in which everyone may write. */
  readonly make: () => string;
}

const TMPFS_MAGIC = 0x01021994;

const loops: readonly TestFilesystem[] = (['ext4', 'xfs', 'btrfs'] as const).map((filesystem) => ({
  name: filesystem,
  tools: [...LOOP_TOOLS, `mkfs.${filesystem}`],
  make: () => mountLoop(filesystem),
}));

const workingDisk: TestFilesystem = {
  name: 'the working disk',
  tools: ['root'],
  make: () => {
    const directory = makeDirectory(os.tmpdir());
    chmodSync(directory, 0o777);
    return directory;
  },
};

/** Filesystems on a device: the machine's temporary directory only if it is on one. */
export const DISKS: readonly TestFilesystem[] =
  statfsSync(os.tmpdir()).type === TMPFS_MAGIC ? loops : [...loops, workingDisk];

export const TMPFS: TestFilesystem = {
  name: 'tmpfs',
  tools: ['root', 'mount'],
  make: () => mountTmpfs('size=512m'),
};
