/** Filesystems for several cases. */

export const EXT4 = `
truncate -s 64M $WORK/image
mkfs.ext4 -q -b 4096 $WORK/image
mount -o loop,errors=remount-ro $WORK/image $DIR`;

export const XFS = `
truncate -s 320M $WORK/image
mkfs.xfs -q $WORK/image
mount -o loop $WORK/image $DIR`;

export const BTRFS = `
truncate -s 256M $WORK/image
mkfs.btrfs -q $WORK/image
mount -o loop $WORK/image $DIR`;

/** Mounts the image again to list its files, even if the first mount is gone. */
export const REMOUNT = 'mount -o loop $WORK/image $DIR';

export const FUSE = `
mkdir $WORK/under
bindfs -f $WORK/under $DIR & echo $! > $WORK/pid
until mountpoint -q $DIR; do sleep 0.05; done`;
