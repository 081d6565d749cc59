import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';

export interface Mount {
  readonly path: string;
  readonly filesystem: string;
  /** The device, or the source of a filesystem without one: `/dev/vda`, `tmpfs`, `host:/export`; may be empty. */
  readonly device: string;
  /** The kernel's `major:minor`; empty if unknown. The major is 0 for a filesystem without its own block device. */
  readonly deviceNumber: string;
  /** The mount's options, then the filesystem's: a read-only bind mount of a writable filesystem has `ro` and `rw`. */
  readonly options: string[];
}

/** Returns the mounts of this process. Null if the system does not list them in /proc. */
export async function readMountInfo(): Promise<readonly Mount[] | null> {
  return readFile('/proc/self/mountinfo', 'utf8').then(parseMountInfo, () => null);
}

/** Parses /proc/self/mountinfo: `36 35 98:0 /root /mnt rw,noatime master:1 - ext4 /dev/sda1 rw`. */
export function parseMountInfo(text: string): readonly Mount[] {
  return text.split('\n').flatMap((line) => {
    const [left = '', right = ''] = line.split(' - ');
    const [, , deviceNumber = '', , mountPath, mountOptions = ''] = left.split(' ');
    const [filesystem, device = '', superOptions = ''] = right.split(' ');
    if (!mountPath || !filesystem) return [];
    const options = new Set([...mountOptions.split(','), ...superOptions.split(',')].filter(Boolean));
    return [
      {
        path: unescapeOctal(mountPath),
        filesystem,
        device: unescapeOctal(device),
        deviceNumber,
        options: [...options].map(unescapeOctal),
      },
    ];
  });
}

/** The kernel escapes blanks, newlines and backslashes in a path, as in `\040`. */
function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}

export function isInside(directory: string, mountPath: string): boolean {
  const relative = path.relative(mountPath, directory);
  return (
    relative === '' ||
    (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative))
  );
}

/** Returns the mount of a directory whose path has no links. `deviceNumber` excludes covered mounts. */
export function findMount(directory: string, mounts: readonly Mount[], deviceNumber?: string): Mount | null {
  const enclosing = mounts.filter((mount) => isInside(directory, mount.path));
  // A mount that is covered by a later mount above it has another device.
  const onDevice = enclosing.filter((mount) => mount.deviceNumber === deviceNumber);
  // The longest path is the innermost mount. On the same path, the later mount covers the earlier.
  const byPathLength = (onDevice.length > 0 ? onDevice : enclosing).toSorted(
    (a, b) => a.path.length - b.path.length,
  );
  return byPathLength.at(-1) ?? null;
}

/** Returns the mount that receives the data: for an overlay, the mount of its upper directory. Null if not visible. */
export async function findDataMount(mount: Mount, mounts: readonly Mount[]): Promise<Mount | null> {
  if (mount.filesystem !== 'overlay') return mount;
  const upper = getMountOption(mount, 'upperdir') ?? '';
  // In a container this is a path on the host, which does not exist here.
  const directory = path.isAbsolute(upper) ? await realpath(upper).catch(() => null) : null;
  const found = directory === null ? null : findMount(directory, mounts);
  return found?.filesystem === 'overlay' ? null : found;
}

function getMountOption({ options }: Mount, name: string): string | null {
  return options.find((option) => option.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
}

/** Returns the algorithm, with its level if it has one. Null if the mount options do not show it, as on ZFS. */
export function mountCompression(mount: Mount): string | null {
  switch (mount.filesystem) {
    case 'btrfs':
      return getMountOption(mount, 'compress-force') ?? getMountOption(mount, 'compress');
    case 'f2fs':
      return getMountOption(mount, 'compress_algorithm');
    case 'ntfs3':
      // The only algorithm of NTFS.
      return mount.options.includes('compress') ? 'lznt1' : null;
    default:
      return null;
  }
}
