import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { GIB } from '../../src/text/units.js';

export interface TestFilesystem {
  readonly name: string;
  /** False if another process serves the files. */
  readonly isNative: boolean;
  /** Mounts it with new directories in `parent`. Returns the mount points, the innermost last. */
  mount(parent: string): readonly string[];
}

const IMAGE_BYTES = 16 * GIB;

export const TEST_FILESYSTEMS: readonly TestFilesystem[] = [
  { name: 'tmpfs', isNative: true, mount: (parent) => [mountTmpfs(parent)] },
  { name: 'ext4', isNative: true, mount: (parent) => [mountExt4(parent)] },
  { name: 'ext4 data=journal', isNative: true, mount: (parent) => [mountExt4(parent, 'data=journal')] },
  { name: 'xfs', isNative: true, mount: (parent) => [mountLoop(parent, ['mkfs.xfs', '-q'])] },
  { name: 'btrfs', isNative: true, mount: (parent) => [mountLoop(parent, ['mkfs.btrfs', '-q'])] },
  {
    name: 'bindfs',
    isNative: false,
    mount: (parent) => {
      const below = mountExt4(parent);
      const directory = makeDirectory(parent, 'bindfs');
      run('bindfs', below, directory);
      return [below, directory];
    },
  },
];

/** Runs `use` in the mounted filesystem, then unmounts it and removes its image. */
export async function withFilesystem<T>(
  { name, mount }: TestFilesystem,
  parent: string,
  use: (directory: string) => Promise<T>,
): Promise<T> {
  const directory = mkdtempSync(join(parent, 'gobonnie-workloads-'));
  try {
    const mountPoint = mount(directory).at(-1);
    if (mountPoint === undefined) throw new Error(`${name} is not mounted`);
    return await use(mountPoint);
  } finally {
    for (const mountPoint of listMounts(directory).reverse()) run('umount', '--lazy', mountPoint);
    rmSync(directory, { recursive: true });
  }
}

/** Lists the mount points below a directory, in the order of mounting, even if a later step of mounting failed. */
function listMounts(directory: string): string[] {
  const lines = execFileSync('findmnt', ['--list', '--noheadings', '--output', 'TARGET'], {
    encoding: 'utf8',
  });
  return lines.split('\n').filter((line) => line.startsWith(`${directory}/`));
}

function mountTmpfs(parent: string): string {
  const directory = makeDirectory(parent, 'tmpfs');
  run('mount', '-t', 'tmpfs', '-o', 'size=75%,nr_inodes=0', 'none', directory);
  return directory;
}

/** Writes the tables now; otherwise ext4 writes them after the mount, during the first rounds. */
function mountExt4(parent: string, options = 'rw'): string {
  return mountLoop(parent, ['mkfs.ext4', '-q', '-E', 'lazy_itable_init=0,lazy_journal_init=0'], options);
}

/** Mounts a sparse image. Its device bypasses the page cache of the filesystem that contains the image. */
function mountLoop(parent: string, mkfs: readonly [string, ...string[]], options = 'rw'): string {
  const image = join(parent, 'image');
  closeSync(openSync(image, 'w'));
  truncateSync(image, IMAGE_BYTES);
  const device = run('losetup', '--find', '--show', '--direct-io=on', image).trim();
  try {
    run(...mkfs, device);
    const directory = makeDirectory(parent, 'loop');
    run('mount', '-o', options, device, directory);
    return directory;
  } finally {
    // The kernel detaches the device of a mounted filesystem when it is unmounted.
    run('losetup', '--detach', device);
  }
}

function makeDirectory(parent: string, name: string): string {
  const directory = join(parent, name);
  mkdirSync(directory);
  return directory;
}

function run(program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
