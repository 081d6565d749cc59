import { expect } from 'vitest';
import type { FaultGroup } from '../fault-case.js';
import { DATA, INJECTION_POINTS } from '../injection-point.js';
import { EXT4, REMOUNT, XFS } from './filesystems.js';

/** A filesystem whose device can store only 1 MiB more: it has no journal, and mkfs leaves its tables unwritten. */
const THIN_EXT4 = `
mkdir $WORK/small
mount -t tmpfs -o size=24m none $WORK/small
truncate -s 256M $WORK/small/image
mkfs.ext4 -q -E lazy_itable_init=1,lazy_journal_init=1,nodiscard -O ^has_journal $WORK/small/image
mount -o loop $WORK/small/image $DIR
dd if=/dev/zero of=$WORK/small/rest bs=64k || :
truncate -s -1M $WORK/small/rest`;

const SLOW_BYTES_PER_SECOND = 4_194_304;

export const device: FaultGroup = {
  title: 'Device',
  cases: [
    {
      fault: 'every write succeeds, but the sync fails',
      setup: THIN_EXT4,
      command: 'gobonnie --dir $DIR --size 0.05 --threads 1',
      guarantees: [1, 4, 6],
      exitCode: 1,
      expectedOutput: [],
      expectedMessage:
        /bonnie\.0 could not be synced to the device: no space left on device \(ENOSPC\); free some space/,
    },
    {
      fault: 'every write succeeds, but the sync with --fsync fails',
      setup: THIN_EXT4,
      command: 'gobonnie --dir $DIR --size 0.05 --threads 1 --fsync',
      guarantees: [1, 4, 6],
      exitCode: 1,
      expectedOutput: [],
      expectedMessage:
        /write failed in .* while syncing it to the device: no space left on device \(ENOSPC\); free some/,
    },
    {
      fault: 'writes to the device start to fail',
      setup: `
mkdir $WORK/nbd
nbdfuse $WORK/nbd/disk --command nbdkit -s --exit-with-parent --filter=error memory size=64M error-pwrite=EIO error-pwrite-rate=100% error-file=$WORK/broken &
until test -e $WORK/nbd/disk; do sleep 0.05; done
mkfs.ext4 -q -O ^has_journal $WORK/nbd/disk
mount -o loop $WORK/nbd/disk $DIR`,
      command: `env UV_THREADPOOL_SIZE=1 gobonnie --dir $DIR ${DATA} --iops-duration 0.1 --runs 3 --json --out $WORK/report.json`,
      trigger: { at: INJECTION_POINTS.firstRun, script: 'touch $WORK/broken' },
      guarantees: [1, 4, 5, 6],
      exitCode: 1,
      expectedOutput: ['1 complete run'],
      expectedMessage: /bonnie\.0 could not be synced to the device: i\/o error \(EIO\); .*dmesg/,
    },
    {
      fault: 'the filesystem becomes read-only',
      setup: EXT4,
      command: `gobonnie --dir $DIR ${DATA} --iops-duration 60`,
      trigger: {
        at: INJECTION_POINTS.iops,
        script: 'echo 1 > /sys/fs/ext4/$(basename $(losetup -nO NAME -j $WORK/image))/trigger_fs_error',
      },
      guarantees: [1, 2, 4, 6],
      exitCode: 1,
      expectedOutput: ['Sequential Write', 'Sequential Read'],
      expectedMessage:
        /iops failed in .*: read-only file system \(EROFS\); and .* could not be removed: .*; once that is fixed, remove it by hand/,
    },
    {
      fault: 'the device disappears',
      setup: XFS,
      command: `gobonnie --dir $DIR ${DATA} --iops-duration 60`,
      trigger: { at: INJECTION_POINTS.iops, script: 'xfs_io -x -c shutdown $DIR' },
      restore: `umount $DIR; ${REMOUNT}`,
      guarantees: [1, 2, 4, 6],
      exitCode: 1,
      expectedOutput: ['Sequential Write', 'Sequential Read'],
      expectedMessage:
        /iops failed in .*: i\/o error \(EIO\); and .* could not be removed: .*; once that is fixed, remove it by hand/,
    },
    {
      fault: 'a slow disk (4 MiB/s)',
      setup: `${EXT4}
mkdir /sys/fs/cgroup/blkio/$NAME
for access in read write; do echo "$(losetup -nO MAJ:MIN -j $WORK/image | tr -d ' ') ${SLOW_BYTES_PER_SECOND}" > /sys/fs/cgroup/blkio/$NAME/blkio.throttle.\${access}_bps_device; done`,
      command: `echo 0 > /sys/fs/cgroup/blkio/$NAME/cgroup.procs
gobonnie --dir $DIR --size 0.004 --threads 1 --direct --iops-duration 0.5`,
      guarantees: [1, 2, 4, 7],
      exitCode: 0,
      expectedOutput: ['Sequential Write', 'Sequential Read', 'IOPS'],
      verifyOutcome: ({ stdout }) => {
        for (const [, rate] of stdout.matchAll(/ MB\/s: ([\d.]+)$/gm))
          expect(Number(rate) * 1e6).toBeLessThan(1.5 * SLOW_BYTES_PER_SECOND);
      },
    },
  ],
};
