/** The kernel's type numbers in a statfs. virtiofs has the number of FUSE. */
const FILESYSTEM_NAMES: ReadonlyMap<number, string> = new Map([
  [0xef53, 'ext4'],
  [0x58465342, 'xfs'],
  [0x9123683e, 'btrfs'],
  [0xf2f52010, 'f2fs'],
  [0xca451a4e, 'bcachefs'],
  [0x4d44, 'vfat'],
  [0x2011bab0, 'exfat'],
  [0x7366746e, 'ntfs3'],
  [0x794c7630, 'overlay'],
  [0x01021994, 'tmpfs'],
  [0x858458f6, 'ramfs'],
  [0x65735546, 'fuse'],
  [0x6969, 'nfs'],
  [0x01021997, '9p'],
  [0xff534d42, 'cifs'],
  [0xfe534d42, 'smb2'],
  [0x00c36400, 'ceph'],
  [0x0bd00bd0, 'lustre'],
  [0x786f4256, 'vboxsf'],
  [0x2fc12fc1, 'zfs'],
]);

/** Returns the name of a filesystem whose mount is not visible, for example without /proc. Null if unknown. */
export function filesystemFromType(
  type: number,
  platform: NodeJS.Platform = process.platform,
): string | null {
  return platform === 'linux' ? (FILESYSTEM_NAMES.get(type) ?? null) : null;
}
