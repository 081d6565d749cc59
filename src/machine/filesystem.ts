import type { LowerCache } from './machine-schema.js';

/** Properties of filesystems: which I/O the kernel counts, and how data is written. */

/**
 * The kernel does not count I/O to a server, to another process or to a virtual machine's host. It also does not count
 * I/O on ZFS, which has its own cache.
 */
const UNACCOUNTED_FILESYSTEMS =
  /^(nfs\d?|cifs|smb\d?|smbfs|9p|ceph|afs|coda|lustre|glusterfs|virtiofs|vboxsf|vmhgfs|prl_fs|drvfs|wslfs|lxfs|fakeowner|zfs|fuse(blk|ctl)?(\..*)?)$/;
/** Filesystems that show a virtual machine the files of its host, or Windows the files in WSL. */
const HOST_FILESYSTEMS = /^(9p|virtiofs|vboxsf|(fuse\.)?vmhgfs.*|prl_fs)$/;
/** Names on Linux and macOS. Network filesystems of Windows are `smb` here. */
const NETWORK_FILESYSTEMS =
  /^(nfs\d?|cifs|smb\d?|smbfs|afpfs|webdav|ceph|afs|coda|lustre|(fuse\.)?glusterfs|fuse\.(sshfs|s3fs|rclone|ceph.*))$/i;
/** Filesystems through which Docker Desktop shows files of macOS and Windows. */
const DOCKER_FILESYSTEMS = /^(fakeowner|fuse\.(osxfs|grpcfuse))$/;
/** Options of an overlay that ignores every sync, on older and newer kernels. */
const VOLATILE_OPTIONS = ['volatile', 'fsync=volatile'];

interface NamedFilesystem {
  readonly filesystem: string | null;
  readonly lowerCache?: LowerCache | null | undefined;
}

export interface MountedFilesystem extends NamedFilesystem {
  readonly mountOptions: readonly string[];
}

export function hasIoAccounting({ filesystem }: NamedFilesystem): boolean {
  return filesystem === null || !UNACCOUNTED_FILESYSTEMS.test(filesystem);
}

/** The other system that stores the files: each operation is a round trip to it. */
export type RemoteKind = 'windows' | 'docker' | 'machine' | 'network';

export function remoteKind(
  target: MountedFilesystem & { readonly device: string | null },
): RemoteKind | null {
  const { device, mountOptions } = target;
  const name = target.filesystem ?? '';
  // WSL mounts the drives of Windows as drvfs, directly or through 9p or virtiofs.
  const isDrive = [name, device ?? '', ...mountOptions].some((word) => /^(aname=)?drvfs/.test(word));
  if (isDrive) return 'windows';
  if (DOCKER_FILESYSTEMS.test(name)) return 'docker';
  if (NETWORK_FILESYSTEMS.test(name)) return 'network';
  return HOST_FILESYSTEMS.test(name) ? 'machine' : null;
}

/** Returns who serves the files, if not the kernel itself: each call is then a round trip to another system or process. */
export function fileServer(target: Parameters<typeof remoteKind>[0]): RemoteKind | 'process' | null {
  return remoteKind(target) ?? (target.filesystem?.startsWith('fuse') ? 'process' : null);
}

/** True if the filesystem writes changed blocks to new places. Most of these can span several devices. */
export const isCopyOnWrite = isOneOf('btrfs', 'bcachefs', 'nilfs2', 'zfs');

/** True if files may be compressed, even if no mount option says so. */
export const canCompress = isOneOf('btrfs', 'bcachefs', 'f2fs', 'zfs', 'ntfs3', 'NTFS');

/** True if direct I/O of less than one block goes through the page cache. */
export const cachesSmallDirectIo = isOneOf('btrfs', 'bcachefs', 'f2fs', 'zfs');

/**
 * True for filesystems without holes, as Linux, macOS and Windows name them: a write far beyond the end of a file first
 * fills the gap with zeros. FAT has no valid data length; exFAT and NTFS keep one per file. ntfs-3g (fuseblk) creates
 * holes, and ReFS tracks the validity of each cluster.
 */
export const fillsWithZeros = isOneOf('exfat', 'vfat', 'msdos', 'ntfs3', 'exFAT', 'FAT', 'FAT32', 'NTFS');

/** True if the free space is the machine's free memory. */
export const isMemoryFilesystem = isOneOf('tmpfs', 'ramfs');

function isOneOf(...names: readonly string[]) {
  return ({ filesystem }: NamedFilesystem) => names.includes(filesystem ?? '');
}

/** True if the device writes much more than the program. */
export function amplifiesWrites(mounted: MountedFilesystem): boolean {
  return isCopyOnWrite(mounted) || mounted.mountOptions.includes('data=journal');
}

/** True if a sync returns without writing anything: on a volatile overlay, as used for building images. */
export function ignoresSync({ filesystem, mountOptions }: MountedFilesystem): boolean {
  return filesystem === 'overlay' && VOLATILE_OPTIONS.some((option) => mountOptions.includes(option));
}

/** Returns why the kernel's counters do not show the device's I/O. Null if they do. */
export function whyIoIsUnaccounted({ filesystem, lowerCache }: NamedFilesystem): string | null {
  return hasIoAccounting({ filesystem })
    ? (lowerCache?.reason ?? null)
    : `the kernel does not count I/O on ${filesystem}`;
}

/** True if direct I/O certainly reaches a device: other filesystems have a server or program with its own cache. */
export function directIoReachesDevice(mounted: NamedFilesystem): boolean {
  return mounted.filesystem !== null && whyIoIsUnaccounted(mounted) === null;
}
