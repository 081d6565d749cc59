import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export interface TestFilesystem {
  readonly name: string;
  /** False if another process serves the files. */
  readonly isNative: boolean;
  /** Commands that mount it on the directory `files`. */
  readonly mount: string;
}

/** Writes the tables now; otherwise ext4 writes them after the mount, during the first rounds. */
const MKFS_EXT4 = 'mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0';

export const TEST_FILESYSTEMS: readonly TestFilesystem[] = [
  { name: 'tmpfs', isNative: true, mount: 'mount -t tmpfs -o size=75%,nr_inodes=0 none files' },
  { name: 'ext4', isNative: true, mount: mountLoop(MKFS_EXT4) },
  { name: 'ext4 data=journal', isNative: true, mount: mountLoop(MKFS_EXT4, '-o data=journal') },
  { name: 'xfs', isNative: true, mount: mountLoop('mkfs.xfs -q') },
  { name: 'btrfs', isNative: true, mount: mountLoop('mkfs.btrfs -q') },
  { name: 'bindfs', isNative: false, mount: `${mountLoop(MKFS_EXT4, '', 'below')}; bindfs below files` },
];

/** Mounts a sparse image, whose device bypasses the page cache. The kernel detaches the device after the unmount. */
function mountLoop(mkfs: string, options = '', directory = 'files'): string {
  return `truncate -s 16G image
    device=$(losetup --find --show --direct-io=on image)
    trap 'losetup --detach $device' EXIT
    ${mkfs} $device
    mount ${options} $device ${directory}`;
}

/** Runs `use` in the mounted filesystem, then unmounts it and removes its image. */
export async function withFilesystem<T>(
  { mount }: TestFilesystem,
  parent: string,
  use: (directory: string) => Promise<T>,
): Promise<T> {
  const directory = mkdtempSync(join(parent, 'gobonnie-workloads-'));
  const files = join(directory, 'files');
  const mountPoints = [files, join(directory, 'below')];
  try {
    for (const mountPoint of mountPoints) mkdirSync(mountPoint);
    execFileSync('sh', ['-ec', mount], { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] });
    return await use(files);
  } finally {
    for (const mountPoint of mountPoints) {
      if (spawnSync('mountpoint', ['--quiet', mountPoint]).status === 0)
        execFileSync('umount', ['--lazy', mountPoint]);
    }
    rmSync(directory, { recursive: true });
  }
}
