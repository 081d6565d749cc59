import { expect } from 'vitest';
import { DATA, MOMENTS } from '../moment.js';
import type { Family } from '../row.js';
import { EXT4, MOUNT_ANEW, XFS } from './filesystems.js';

/** A filesystem larger than the 1 MiB that can be stored, without a journal; mkfs leaves its tables unwritten. */
const HOLLOW = `
mkdir $WORK/small
mount -t tmpfs -o size=24m none $WORK/small
truncate -s 256M $WORK/small/image
mkfs.ext4 -q -E lazy_itable_init=1,lazy_journal_init=1,nodiscard -O ^has_journal $WORK/small/image
mount -o loop $WORK/small/image $DIR
dd if=/dev/zero of=$WORK/small/rest bs=64k || :
truncate -s -1M $WORK/small/rest`;

const SLOW_BYTES_PER_SECOND = 4_194_304;

export const device: Family = {
  title: 'The device',
  rows: [
    {
      fault: 'every write succeeds, and then the sync fails',
      given: HOLLOW,
      command: 'gobonnie --dir $DIR --size 0.05 --threads 1',
      promises: [1, 4, 6],
      exitCode: 1,
      told: [],
      says: /bonnie\.0 could not be synced to the device: no space left on device \(ENOSPC\); free some space/,
    },
    {
      fault: 'the same with --fsync',
      given: HOLLOW,
      command: 'gobonnie --dir $DIR --size 0.05 --threads 1 --fsync',
      promises: [1, 4, 6],
      exitCode: 1,
      told: [],
      says: /write failed in .* when it was synced to the device: no space left on device \(ENOSPC\); free some/,
    },
    {
      fault: 'writes to the device fail from the second run on',
      given: `
mkdir $WORK/nbd
nbdfuse $WORK/nbd/disk --command nbdkit -s --exit-with-parent --filter=error memory size=64M error-pwrite=EIO error-pwrite-rate=100% error-file=$WORK/broken &
until test -e $WORK/nbd/disk; do sleep 0.05; done
mkfs.ext4 -q -O ^has_journal $WORK/nbd/disk
mount -o loop $WORK/nbd/disk $DIR`,
      command: `env UV_THREADPOOL_SIZE=1 gobonnie --dir $DIR ${DATA} --iops-duration 0.1 --runs 3 --json --out $WORK/report.json`,
      strike: { at: MOMENTS.firstRun, by: 'touch $WORK/broken' },
      promises: [1, 4, 5, 6],
      exitCode: 1,
      told: ['1 complete run'],
      says: /bonnie\.0 could not be synced to the device: i\/o error \(EIO\); .*dmesg/,
    },
    {
      fault: 'the filesystem becomes read-only',
      given: EXT4,
      command: `gobonnie --dir $DIR ${DATA} --iops-duration 60`,
      strike: {
        at: MOMENTS.iops,
        by: 'echo 1 > /sys/fs/ext4/$(basename $(losetup -nO NAME -j $WORK/image))/trigger_fs_error',
      },
      promises: [1, 2, 4, 6],
      exitCode: 1,
      told: ['Sequential Write', 'Sequential Read'],
      says: /iops failed in .*: read-only file system \(EROFS\); and .* could not be removed: .*; once that is fixed, remove it by hand/,
    },
    {
      fault: 'the device disappears',
      given: XFS,
      command: `gobonnie --dir $DIR ${DATA} --iops-duration 60`,
      strike: { at: MOMENTS.iops, by: 'xfs_io -x -c shutdown $DIR' },
      revival: `umount $DIR; ${MOUNT_ANEW}`,
      promises: [1, 2, 4, 6],
      exitCode: 1,
      told: ['Sequential Write', 'Sequential Read'],
      says: /iops failed in .*: i\/o error \(EIO\); and .* could not be removed: .*; once that is fixed, remove it by hand/,
    },
    {
      fault: 'a slow disk (4 MiB/s)',
      given: `${EXT4}
mkdir /sys/fs/cgroup/blkio/$NAME
for way in read write; do echo "$(losetup -nO MAJ:MIN -j $WORK/image | tr -d ' ') ${SLOW_BYTES_PER_SECOND}" > /sys/fs/cgroup/blkio/$NAME/blkio.throttle.\${way}_bps_device; done`,
      command: `echo 0 > /sys/fs/cgroup/blkio/$NAME/cgroup.procs
gobonnie --dir $DIR --size 0.004 --threads 1 --direct --iops-duration 0.5`,
      promises: [1, 2, 4, 7],
      exitCode: 0,
      told: ['Sequential Write', 'Sequential Read', 'IOPS'],
      holds: ({ stdout }) => {
        for (const [, rate] of stdout.matchAll(/ MB\/s: ([\d.]+)$/gm))
          expect(Number(rate) * 1e6).toBeLessThan(1.5 * SLOW_BYTES_PER_SECOND);
      },
    },
  ],
};
