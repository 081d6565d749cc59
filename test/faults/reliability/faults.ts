import { expect } from 'vitest';
import type { Observation } from './run-fault.js';

/**
 * Where the program can be paused, in a run with one thread and 163 blocks of 64 KiB. strace stops the program at a system call, counted separately
 * in each thread.
 */
export const PAUSES = {
  write: { description: 'during the write phase', call: 'pwrite64', number: 7 },
  /** After the reads that load libraries, and before the blocks that are compared. */
  read: { description: 'during the read phase', call: 'pread64', number: 20 },
  /** Tracing each of its many calls would take half a minute, so the program is stopped at any moment. */
  iops: { description: 'during the iops phase' },
  create: { description: 'during the create phase', call: 'openat', number: 1000 },
  /** The second run's removal of the first file: an unlink for --out comes first (one libuv thread). */
  firstRun: { description: 'after the first run', call: 'unlink', number: 2 },
} as const;

/**
 * A fault, in which gobonnie must keep all guarantees that apply. `sh` runs the scripts with `$DIR`, `$WORK` and the other variables
 * of outcomes.md, which shows the scripts and the outcome, so a new row needs no expected output: add it, run the tests
 * with `-u`, and read its row in outcomes.md.
 */
export interface Fault {
  readonly fault: string;
  /** Prepares the directory. */
  readonly setup?: string;
  readonly command: string;
  /** Where the program is paused while `inject` runs. */
  readonly at?: keyof typeof PAUSES;
  readonly inject?: string;
  /** Restores access to the directory after the run. */
  readonly restore?: string;
  /** True if the test cannot put a file of the user into the directory. */
  readonly hasNoUserFile?: true;
  /** Matches the line of stderr to show, if nothing failed. */
  readonly message?: RegExp;
  /** Further checks. */
  readonly verify?: (observation: Observation) => void;
}

const DATA = '--size 0.01 --threads 1';
/** Keeps the page cache: to empty it every few seconds, gobonnie syncs the files, which may notice a fault before the phase does. */
const LONG = `gobonnie --dir $DIR ${DATA} --iops-duration 60 --cache keep`;
const SEEDED = `gobonnie --dir $DIR ${DATA} --seed 1`;
const QUICK = `gobonnie --dir $DIR ${DATA} --iops-duration 0.1`;
const MANY_THREADS = 'gobonnie --dir $DIR --size 0.01 --threads 64';
const MANY_FILES = 'gobonnie --dir $DIR --phases create,stat,delete --files 2000 --threads 1';

const tmpfs = (options: string) => `mount -t tmpfs -o ${options} none $DIR`;
const EXT4 = `
truncate -s 64M $WORK/image
mkfs.ext4 -q -b 4096 $WORK/image
mount -o loop,errors=remount-ro $WORK/image $DIR`;
const BTRFS = `
truncate -s 256M $WORK/image
mkfs.btrfs -q $WORK/image
mount -o loop $WORK/image $DIR`;
const BTRFS_QUOTA = `${BTRFS}
btrfs quota enable $DIR
btrfs subvolume create $DIR/limited`;
/** A filesystem whose device can store only 1 MiB more: it has no journal, and mkfs leaves its tables unwritten. */
const THIN_EXT4 = `
mkdir $WORK/small
mount -t tmpfs -o size=24m none $WORK/small
truncate -s 256M $WORK/small/image
mkfs.ext4 -q -E lazy_itable_init=1,lazy_journal_init=1,nodiscard -O ^has_journal $WORK/small/image
mount -o loop $WORK/small/image $DIR
dd if=/dev/zero of=$WORK/small/rest bs=64k || :
truncate -s -1M $WORK/small/rest`;
const FUSE = `
mkdir $WORK/under
bindfs -f $WORK/under $DIR & echo $! > $WORK/pid
until mountpoint -q $DIR; do sleep 0.05; done`;
const KILL_FUSE = 'kill -9 $(cat $WORK/pid)\nwhile test -e $DIR; do sleep 0.05; done';
/** Mounts the image again to list its files, even if the first mount is gone. */
const REMOUNT = 'mount -o loop $WORK/image $DIR';
/** In block 127, counted from 0: gobonnie compares every 127th block. */
const OFFSET = 8_323_149;
const BLOCK = Math.floor(OFFSET / 4096);
const SLOW_BYTES_PER_SECOND = 4_194_304;

const createCgroup = (controller: string, file: string, limit: string) => `
mkdir /sys/fs/cgroup/${controller}/$NAME
echo ${limit} > /sys/fs/cgroup/${controller}/$NAME/${file}`;
const inCgroup = (controller: string, command: string) =>
  `echo 0 > /sys/fs/cgroup/${controller}/$NAME/cgroup.procs\n${command}`;
const injectFault = (call: string, error: string) =>
  `strace -f -qq -o /dev/null -e trace=${call} -e inject=${call}:${error} gobonnie --dir $DIR --size 0.01`;
const notADirectory = (fault: string, name: string, setup: string): Fault => ({
  fault,
  setup,
  command: `gobonnie --dir $DIR/${name} --size 0.01`,
});

/** The faults, by heading of the page. */
export const FAULTS: Readonly<Record<string, readonly Fault[]>> = {
  Space: [
    {
      fault: 'less free space than --size needs',
      setup: tmpfs('size=8m'),
      command: 'gobonnie --dir $DIR --size 0.01',
    },
    {
      fault: 'just enough space for --size, but none would remain free',
      setup: tmpfs('size=8m'),
      command: 'gobonnie --dir $DIR --size 0.0076',
    },
    {
      fault: 'less free space than the default size needs',
      setup: tmpfs('size=32m'),
      command: 'gobonnie --dir $DIR --threads 1 --iops-duration 0.1',
      at: 'read',
      inject: 'df $DIR',
      message: / has no room for \S+ GiB, the default; /,
    },
    {
      fault: 'another program fills the disk',
      setup: tmpfs('size=64m'),
      command: `gobonnie --dir $DIR ${DATA}`,
      at: 'write',
      inject: 'dd if=/dev/zero of=$DIR/other bs=64k || :',
    },
    {
      fault: 'another program uses the space that must stay free',
      setup: tmpfs('size=64m'),
      command: LONG,
      at: 'iops',
      inject: 'dd if=/dev/zero of=$DIR/other bs=64k count=850',
    },
    {
      fault: 'fewer inodes than threads',
      setup: tmpfs('size=64m,nr_inodes=20'),
      command: 'gobonnie --dir $DIR --size 0.01 --threads 32',
    },
    {
      fault: 'fewer inodes than small files',
      setup: tmpfs('size=64m,nr_inodes=1000'),
      command: MANY_FILES,
    },
    {
      fault: 'another program uses up the inodes',
      setup: tmpfs('size=64m,nr_inodes=5000'),
      command: MANY_FILES,
      at: 'create',
      inject: 'touch $(seq -f $DIR/other.%g 6000) || :',
    },
    {
      fault: 'a quota is reached',
      setup: `${BTRFS_QUOTA}
btrfs qgroup limit 10M $DIR/limited`,
      command: 'gobonnie --dir $DIR/limited --size 0.05 --threads 1',
    },
    {
      fault: 'overwriting needs more space than a lowered quota allows',
      setup: BTRFS_QUOTA,
      command: `gobonnie --dir $DIR/limited ${DATA} --iops-duration 60 --io-size 4k`,
      at: 'iops',
      inject: 'btrfs qgroup limit 4M $DIR/limited',
    },
  ],
  Device: [
    {
      fault: 'every write succeeds, but the sync fails',
      hasNoUserFile: true,
      setup: THIN_EXT4,
      command: 'gobonnie --dir $DIR --size 0.05 --threads 1',
    },
    {
      fault: 'writes to the device start to fail',
      hasNoUserFile: true,
      setup: `
mkdir $WORK/nbd
nbdfuse $WORK/nbd/disk --command nbdkit -s --exit-with-parent --filter=error memory size=64M error-pwrite=EIO error-pwrite-rate=100% error-file=$WORK/broken &
until test -e $WORK/nbd/disk; do sleep 0.05; done
mkfs.ext4 -q -O ^has_journal $WORK/nbd/disk
mount -o loop $WORK/nbd/disk $DIR`,
      command: `env UV_THREADPOOL_SIZE=1 ${QUICK} --runs 3 --json --out $WORK/report.json`,
      at: 'firstRun',
      inject: 'touch $WORK/broken',
      verify: ({ report }) => expect(report).not.toBeNull(),
    },
    {
      fault: 'the filesystem becomes read-only',
      setup: EXT4,
      command: LONG,
      at: 'iops',
      inject: 'echo 1 > /sys/fs/ext4/$(basename $(losetup -nO NAME -j $WORK/image))/trigger_fs_error',
    },
    {
      fault: 'the device disappears',
      setup: `
truncate -s 320M $WORK/image
mkfs.xfs -q $WORK/image
mount -o loop $WORK/image $DIR`,
      command: LONG,
      at: 'iops',
      inject: 'xfs_io -x -c shutdown $DIR',
      restore: `umount $DIR; ${REMOUNT}`,
    },
    {
      fault: 'a slow disk (4 MiB/s)',
      setup: `${EXT4}
mkdir /sys/fs/cgroup/blkio/$NAME
for access in read write; do echo "$(losetup -nO MAJ:MIN -j $WORK/image | tr -d ' ') ${SLOW_BYTES_PER_SECOND}" > /sys/fs/cgroup/blkio/$NAME/blkio.throttle.\${access}_bps_device; done`,
      command: inCgroup('blkio', 'gobonnie --dir $DIR --size 0.004 --threads 1 --direct --iops-duration 0.5'),
      verify: ({ stdout }) => {
        for (const [, rate] of stdout.matchAll(/ MB\/s: ([\d.]+)$/gm))
          expect(Number(rate) * 1e6).toBeLessThan(1.5 * SLOW_BYTES_PER_SECOND);
      },
    },
  ],
  Mounts: [
    {
      fault: 'a FUSE server is killed',
      setup: FUSE,
      command: LONG,
      at: 'iops',
      inject: KILL_FUSE,
      restore: 'umount --lazy $DIR; bindfs $WORK/under $DIR',
    },
    {
      fault: 'a FUSE server was killed before the run',
      hasNoUserFile: true,
      setup: `${FUSE}\n${KILL_FUSE}`,
      command: 'gobonnie --dir $DIR --size 0.01',
      restore: 'umount --lazy $DIR',
    },
    {
      fault: 'a FUSE server is stopped for 3 seconds',
      setup: FUSE,
      command: `${QUICK} --stall-timeout 1`,
      at: 'write',
      inject: 'kill -STOP $(cat $WORK/pid)\n(sleep 3; kill -CONT $(cat $WORK/pid)) &',
    },
    {
      fault: 'the disk is unmounted during the run',
      setup: EXT4,
      command: QUICK,
      at: 'read',
      inject: 'umount --lazy $DIR',
      restore: REMOUNT,
    },
  ],
  Corruption: [
    {
      fault: 'another program changes a byte of the file',
      command: SEEDED,
      at: 'read',
      inject: `printf x | dd of=$(echo $DIR/gobonnie-*/bonnie.0) bs=1 seek=${OFFSET} conv=notrunc`,
    },
    {
      fault: 'a byte changes on the disk, below the filesystem',
      setup: EXT4,
      command: SEEDED,
      at: 'read',
      inject: `
block=$(filefrag -v $DIR/gobonnie-*/bonnie.0 | awk '$1 ~ /^[0-9]+:$/ && $2+0 <= ${BLOCK} && ${BLOCK} <= $3+0 { print $4 - $2 + ${BLOCK} }')
printf x | dd of=$WORK/image bs=1 seek=$((block * 4096 + ${OFFSET - BLOCK * 4096})) conv=notrunc`,
    },
  ],
  Limits: [
    {
      fault: 'the open-file limit is too low',
      command: `ulimit -n 40\n${MANY_THREADS}`,
    },
    {
      fault: 'the file-size limit is too low',
      command: `ulimit -f 100\ngobonnie --dir $DIR ${DATA}`,
    },
    {
      fault: "the user's process limit is too low",
      setup: 'chmod 777 $DIR',
      command: `prlimit --nproc=48 $NOBODY ${MANY_THREADS}`,
    },
    {
      fault: "the container's process limit is too low",
      setup: createCgroup('pids', 'pids.max', '48'),
      command: inCgroup('pids', MANY_THREADS),
    },
    {
      fault: "the container's memory limit is too low for the threads",
      setup: EXT4 + createCgroup('memory', 'memory.limit_in_bytes', '128M'),
      command: inCgroup('memory', MANY_THREADS),
    },
  ],
  Permissions: [
    {
      fault: 'the user is not root',
      setup: 'chmod 777 $DIR',
      command: `$NOBODY ${QUICK}`,
    },
    {
      fault: 'a user other than root passes an option that needs root',
      setup: 'chmod 777 $DIR',
      command: '$NOBODY gobonnie --dir $DIR --size 0.01 --cache drop',
    },
    {
      fault: 'a directory that the user may not write to',
      command: '$NOBODY gobonnie --dir $DIR --size 0.01',
    },
    {
      fault: 'the write permission is revoked during the run',
      setup: 'chmod 777 $DIR',
      command: `$NOBODY ${QUICK}`,
      at: 'read',
      inject: 'chmod 755 $DIR',
    },
    {
      fault: 'a read-only mount',
      setup: `${tmpfs('size=64m')}\necho mine > $DIR/mine\nmount -o remount,ro $DIR`,
      command: 'gobonnie --dir $DIR --size 0.01',
    },
    {
      fault: 'an immutable directory',
      setup: `${EXT4}\necho mine > $DIR/mine\nchattr +i $DIR`,
      command: 'gobonnie --dir $DIR --size 0.01',
    },
    {
      fault: 'a directory that becomes immutable during the run',
      setup: EXT4,
      command: QUICK,
      at: 'read',
      inject: 'chattr +i $DIR',
    },
    {
      fault: 'an append-only directory: files can be created in it, but not removed',
      setup: `${EXT4}\necho mine > $DIR/mine\nchattr +a $DIR`,
      command: QUICK,
    },
    {
      fault: 'a file that becomes immutable during the run',
      setup: EXT4,
      command: LONG,
      at: 'iops',
      inject: 'chattr +i $DIR/gobonnie-*/bonnie.0',
    },
  ],
  'Not a directory': [
    notADirectory('a FIFO without a reader', 'fifo', 'mkfifo $DIR/fifo'),
    notADirectory('a device', 'device', 'mknod $DIR/device c 1 3'),
    notADirectory('a file', 'file', 'echo mine > $DIR/file'),
    notADirectory('a dangling link', 'link', 'ln -s nowhere $DIR/link'),
  ],
  'Results cannot be written': [
    { fault: 'stdout is on a full disk', command: `${QUICK} --json > /dev/full` },
    {
      fault: 'the reader of the pipe exits',
      setup: 'mkfifo $WORK/pipe',
      command: `head -c 1 $WORK/pipe > /dev/null &\n${QUICK} --runs 100 > $WORK/pipe`,
    },
    {
      fault: '--out is on a full disk',
      setup: 'mkdir $WORK/full\nmount -t tmpfs -o size=4k none $WORK/full',
      command: `${QUICK} --out $WORK/full/report.json`,
    },
  ],
  // Errors that no filesystem here returns on its own.
  'Injected with strace': [
    {
      fault: 'several threads fail at once',
      command: `${injectFault('pwrite64', 'error=EIO:delay_enter=3000000:when=1')} --threads 3`,
    },
    {
      fault: 'the NFS file handle becomes stale',
      command: `${injectFault('pread64', 'error=ESTALE:when=20')} --threads 1`,
    },
  ],
};
