/** What has to be known of kinds of filesystems to understand what they do. */

/** What goes to a server or another process is counted as memory, and ZFS has a cache of its own that counts nothing. */
const UNCOUNTED =
  /^(nfs\d?|cifs|smb\d?|smbfs|9p|ceph|afs|coda|lustre|glusterfs|virtiofs|vboxsf|zfs|fuse(blk|ctl)?(\..*)?)$/;
/** They write elsewhere than before, and their maps anew each time. */
const COPY_ON_WRITE = new Set(['btrfs', 'bcachefs', 'nilfs2', 'zfs']);
/** Direct operations that are no whole blocks of their own go through the page cache all the same. */
const CACHES_SMALL_DIRECT = new Set(['btrfs', 'bcachefs', 'f2fs', 'zfs']);

export interface MountedFilesystem {
  readonly filesystem: string | null;
  readonly mountOptions: readonly string[];
}

/** Whether the kernel's counts say what it moves. */
export function isCounted({ filesystem }: Pick<MountedFilesystem, 'filesystem'>): boolean {
  return filesystem === null || !UNCOUNTED.test(filesystem);
}

/** Whether the device writes much more than it was asked for. */
export function amplifiesWrites({ filesystem, mountOptions }: MountedFilesystem): boolean {
  return COPY_ON_WRITE.has(filesystem ?? '') || mountOptions.includes('data=journal');
}

/** Whether one of its directories can lie on several devices at once, of which only one is known. */
export function spansDevices({ filesystem }: Pick<MountedFilesystem, 'filesystem'>): boolean {
  return COPY_ON_WRITE.has(filesystem ?? '');
}

export function cachesSmallDirect({ filesystem }: Pick<MountedFilesystem, 'filesystem'>): boolean {
  return CACHES_SMALL_DIRECT.has(filesystem ?? '');
}
