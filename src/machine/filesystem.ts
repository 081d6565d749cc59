/** What the kernel counts, and how data is written, on different filesystems. */

/**
 * The kernel does not count I/O to a server, to another process or to the host of a virtual machine, nor that of ZFS, which
 * has a cache of its own.
 */
const UNACCOUNTED_FILESYSTEMS =
  /^(nfs\d?|cifs|smb\d?|smbfs|9p|ceph|afs|coda|lustre|glusterfs|virtiofs|vboxsf|vmhgfs|prl_fs|drvfs|wslfs|lxfs|fakeowner|zfs|fuse(blk|ctl)?(\..*)?)$/;
/** What a virtual machine sees of its host's files, and Windows of those in WSL. */
const HOST_FILESYSTEMS = /^(9p|virtiofs|vboxsf|(fuse\.)?vmhgfs.*|prl_fs)$/;
/** As Linux and macOS name them. Those of Windows are `smb` here. */
const NETWORK_FILESYSTEMS =
  /^(nfs\d?|cifs|smb\d?|smbfs|afpfs|webdav|ceph|afs|coda|lustre|(fuse\.)?glusterfs|fuse\.(sshfs|s3fs|rclone|ceph.*))$/i;
/** What Docker Desktop makes of the files of macOS and Windows. */
const DOCKER_FILESYSTEMS = /^(fakeowner|fuse\.(osxfs|grpcfuse))$/;
/** They write changed blocks to new places, and update their trees each time. */
const COPY_ON_WRITE = new Set(['btrfs', 'bcachefs', 'nilfs2', 'zfs']);
/** Direct I/O of less than a filesystem block goes through the page cache. */
const CACHES_SMALL_DIRECT = new Set(['btrfs', 'bcachefs', 'f2fs', 'zfs']);
/**
 * They have no holes, so all before the first write far behind the end of a file has to be written, too. FAT has no valid data
 * length at all; exFAT and NTFS keep one for each file. Names as Linux, macOS and Windows show them. ntfs-3g, a fuseblk, makes
 * holes, and ReFS knows for each cluster whether it is valid.
 */
const FILLS_WITH_ZEROS = new Set([
  ...['exfat', 'vfat', 'msdos', 'ntfs3'],
  ...['exFAT', 'FAT', 'FAT32', 'NTFS'],
]);

/** How older and newer kernels show an overlay that ignores every sync. */
const VOLATILE_OPTIONS = ['volatile', 'fsync=volatile'];

/** Why a device that the kernel counts may still answer from memory. */
export interface LowerCache {
  readonly reason: string;
  /** The loop device that reads its file through this system's page cache, which can be emptied or bypassed. */
  readonly loopDevice: string | null;
}

export interface MountedFilesystem {
  readonly filesystem: string | null;
  readonly mountOptions: readonly string[];
  readonly lowerCache?: LowerCache | null | undefined;
}

/** True if the kernel's counters show its I/O. */
export function hasIoAccounting({ filesystem }: Pick<MountedFilesystem, 'filesystem'>): boolean {
  return filesystem === null || !UNACCOUNTED_FILESYSTEMS.test(filesystem);
}

/** The other system that has the files: each operation crosses into it. */
export type RemoteKind = 'windows' | 'docker' | 'machine' | 'network';

export function remoteKind({
  filesystem,
  mountOptions,
  device,
}: MountedFilesystem & { readonly device: string | null }): RemoteKind | null {
  const name = filesystem ?? '';
  // WSL mounts the drives of Windows as drvfs, by itself or by 9p or virtiofs.
  const isDrive = [name, device ?? '', ...mountOptions].some((word) => /^(aname=)?drvfs/.test(word));
  if (isDrive) return 'windows';
  if (DOCKER_FILESYSTEMS.test(name)) return 'docker';
  if (NETWORK_FILESYSTEMS.test(name)) return 'network';
  return HOST_FILESYSTEMS.test(name) ? 'machine' : null;
}

/** True if the device writes much more than the program. */
export function amplifiesWrites({ filesystem, mountOptions }: MountedFilesystem): boolean {
  return COPY_ON_WRITE.has(filesystem ?? '') || mountOptions.includes('data=journal');
}

/** Whether a directory can be on several devices, of which only one is known. */
export function maySpanDevices({ filesystem }: Pick<MountedFilesystem, 'filesystem'>): boolean {
  return COPY_ON_WRITE.has(filesystem ?? '');
}

/** Whether a sync returns at once, with all still in memory: a volatile overlay, which images are built on. */
export function ignoresSync({ filesystem, mountOptions }: MountedFilesystem): boolean {
  return filesystem === 'overlay' && VOLATILE_OPTIONS.some((option) => mountOptions.includes(option));
}

/** Why the kernel's counts do not show what a device served. Null if they do. */
export function whyIoIsUnaccounted({
  filesystem,
  lowerCache,
}: Pick<MountedFilesystem, 'filesystem' | 'lowerCache'>): string | null {
  return hasIoAccounting({ filesystem })
    ? (lowerCache?.reason ?? null)
    : `the kernel does not count what ${filesystem} moves`;
}

/** Whether direct I/O is known to reach a device: others have a server or a program that may read from its own memory. */
export function directIoReachesDevice(
  mounted: Pick<MountedFilesystem, 'filesystem' | 'lowerCache'>,
): boolean {
  return mounted.filesystem !== null && whyIoIsUnaccounted(mounted) === null;
}

export function cachesSmallDirectIo({ filesystem }: Pick<MountedFilesystem, 'filesystem'>): boolean {
  return CACHES_SMALL_DIRECT.has(filesystem ?? '');
}

/** Whether it writes zeros to all of a file that is before the first write to it. */
export function fillsWithZeros({ filesystem }: Pick<MountedFilesystem, 'filesystem'>): boolean {
  return FILLS_WITH_ZEROS.has(filesystem ?? '');
}
