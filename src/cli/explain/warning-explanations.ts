import { SECTOR_BYTES } from '../../../workers/data/test-data.js';
import { MIN_STABLE_RUNS, OPTION_DEFAULTS } from '../../options/option-catalogue.js';
import { MIN_FREE_BYTES, MIN_FREE_SHARE } from '../../plan/size.js';
import type { Warning } from '../../report/schema/report.js';
import { formatBytes } from '../../text/units.js';
import { defaultSizeMultiple, type Explanation, formatPercent } from './explanation.js';
import { measurementWarningExplanations } from './measurement-warning-explanations.js';

/** The explanations of all warnings that a report can contain. */
export const warningExplanations: Readonly<Record<Warning['code'], Explanation>> = {
  ...measurementWarningExplanations,
  'memory-filesystem': {
    title: 'the directory is in RAM, not on a disk',
    cause:
      'The directory is on tmpfs or ramfs, which keep files in RAM (/dev/shm, and on many systems /tmp). Or its device is in RAM: zram, a RAM disk, or a loop device whose file is on tmpfs.',
    impact: 'All results show the speed of RAM, not of a disk.',
    remedy: 'Pass a directory on the disk that you want to measure. df shows the filesystem of a directory.',
    examples: [
      { command: 'df --output=fstype,source /mnt/disk', comment: 'show its filesystem and device' },
      { command: 'gobonnie --dir /mnt/disk --size 4', comment: 'measure that disk' },
    ],
  },
  'remote-filesystem': {
    title: 'the directory is served by another system',
    cause:
      'The mount sends every operation to another system: a Windows drive in WSL (/mnt/c), a macOS or Windows directory in a Docker Desktop container, a directory that a host shares with its VM (9p, virtiofs, vboxsf, vmhgfs, prl_fs), or a file server (NFS, SMB, sshfs).',
    impact:
      'Every operation is a round trip to that system. The results are right for programs on this machine, but lower than the results of the disk itself, above all for small files and small blocks. The other system has its own cache, which gobonnie can neither see nor empty. Reads may come from that cache even if the data is larger than the RAM of this machine.',
    remedy:
      'Keep files that must be fast off this mount: in WSL, use your home directory instead of /mnt/c; with Docker Desktop, use a volume instead of a bind mount. gobonnie ab shows the difference. For a file server, use more data than fits in its RAM.',
    examples: [
      {
        command: 'gobonnie ab --phases create,delete --allow-cached /mnt/c/Users/Public ~',
        comment: 'compare small files',
      },
      {
        command: 'gobonnie ab --size 0.5 --allow-cached /mnt/c/Users/Public ~',
        comment: 'compare large files',
      },
    ],
  },
  'compressing-filesystem': {
    title: 'the filesystem compresses, and the test data may compress well',
    cause:
      'The mount options show that the filesystem compresses (btrfs, f2fs, NTFS). By default, gobonnie writes the same random block over and over.',
    impact:
      'One random block does not compress. But a filesystem that compresses several blocks together finds the repetition and stores the block once, so all results can look too good.',
    remedy:
      'Pass --unique to make every block different. To measure with data like yours, add --compressible with the percentage that compression removes from your data.',
    examples: [
      { command: 'gobonnie --dir /mnt/disk --size 4 --unique', comment: 'data that does not compress' },
      {
        command: 'gobonnie --dir /mnt/disk --size 4 --unique --compressible 50',
        comment: 'data that compresses to half',
      },
    ],
  },
  'zero-filled': {
    title: 'the filesystem fills the shared file with zeros',
    cause:
      'All threads write to one file (--one-file, --shared-file), each from its own offset, on FAT, exFAT or NTFS. Files there have no holes unless they are marked as sparse: when a thread writes beyond the end of the file, the filesystem first fills the gap with zeros.',
    impact:
      'The filesystem may write most of the file twice while threads wait for each other, so writes may look several times too slow. With four threads and direct I/O, they took about five times as long on FAT and exFAT. Later phases find the complete file and are not affected.',
    remedy:
      'Leave out --one-file, so each thread has its own file. To measure several threads in one file, use a filesystem with sparse files, such as ext4, XFS, APFS or ReFS.',
    examples: [
      { command: 'gobonnie --dir /mnt/stick --size 4', comment: 'one file per thread' },
      {
        command: 'gobonnie --dir /mnt/stick --size 4 --one-file --threads 1',
        comment: 'one file, written from start to end',
      },
    ],
  },
  'cache-not-dropped': {
    title: 'gobonnie could not empty the page cache before the reads',
    cause:
      'The written data is in the page cache, and gobonnie could not remove it before the reads. Dropping the whole cache needs root on Linux or macOS. Evicting only the test files needs Linux and GNU dd.',
    impact:
      'The page cache may serve some reads, so read and IOPS may look too good. If the kernel counts device reads, the report has the share that the device served, and the warning served-from-cache appears if it was too small.',
    remedy: `On Linux or Windows, pass --direct. On Linux or macOS, run as root. On Linux with busybox dd, install GNU coreutils (apk add coreutils on Alpine). If none of these is possible, use a larger --size: with the default, ${defaultSizeMultiple} the RAM, RAM can hold at most half of the data.`,
    examples: [
      { command: 'gobonnie --dir /mnt/disk --size 4 --direct', comment: 'bypass the page cache' },
      { command: 'sudo gobonnie --dir /mnt/disk --size 4', comment: 'as root, drop the whole page cache' },
    ],
  },
  bimodal: {
    title: 'results are bimodal: the runs have two speeds',
    cause:
      'Of five or more runs, some had one speed and the rest had another, at least 1.5 times as high, with no run in between.',
    impact:
      'The mean is a speed that no run had. Typical causes: a cache that is full in every other run, throttling that starts and stops, or a CPU or host that is slower at times.',
    remedy:
      'Look at each run (runs in the report) for differences; other warnings in the same report may name the cause. Compare only runs of the same speed.',
    examples: [
      {
        command: 'jq ".runs[].measurements[] | [.phase, .bytesPerSecond]" report.json',
        comment: 'print the rates of each run',
      },
    ],
  },
  outliers: {
    title: 'some runs are outliers',
    cause:
      'Of five or more runs, some differ from the median by more than 25 % and by more than ten standard deviations (estimated from the median deviation).',
    impact:
      'Something slowed these runs down or sped them up. They move the mean and widen its confidence interval.',
    remedy:
      'Run again when the machine is idle. If outliers reappear, the disk causes them: look at each run.',
    examples: [
      {
        command: 'gobonnie --size 0.5 --runs 10 --out report.json',
        comment: 'more runs, all in the report',
      },
    ],
  },
  'not-stable': {
    title: 'the results were still not stable after --max-runs runs',
    cause: `After the maximum number of runs (--max-runs, by default ${OPTION_DEFAULTS.maxRuns}, at least ${MIN_STABLE_RUNS}), at least one 95 % confidence interval was still wider than --until-stable allows.`,
    impact:
      'The means are the best estimate so far, but less certain than you asked for. The statistics in the report have the interval of every result as timed.',
    remedy:
      'Find the cause of the noise: other warnings in the same report may name it. Otherwise, allow more runs or a wider interval. Half the width takes about four times as many runs.',
    examples: [
      { command: 'gobonnie --size 1 --until-stable 5 --max-runs 100', comment: 'more runs, at most 100 GiB' },
      {
        command: 'gobonnie --size 1 --until-stable 10 --out report.json',
        comment: 'a wider interval, at most 30 GiB',
      },
      { command: 'jq ".statistics[]" report.json', comment: 'the intervals, from --out report.json' },
    ],
  },
  'io-size-raised': {
    title: 'the random operations are larger than requested',
    cause: `--io-size was smaller than the smallest possible operation: direct I/O moves whole blocks of the device or filesystem, and --unique and --verify stamp sectors of ${SECTOR_BYTES} bytes. gobonnie raised it to that size.`,
    impact: `gobonnie measured IOPS with the size in the warning instead of the requested size or the default of ${OPTION_DEFAULTS.ioSize} bytes. Do not compare the results with results of another size.`,
    remedy: 'Pass that size as --io-size to silence the warning.',
    examples: [
      {
        command: 'gobonnie --dir /mnt/disk --size 4 --direct --io-size 4k',
        comment: 'the block size of most disks',
      },
    ],
  },
  'threads-reduced': {
    title: 'there is not enough RAM for one thread per core',
    cause:
      'Without --threads, gobonnie starts one thread per core that a CPU quota of the container allows. The RAM, or the memory limit of a container, is too small for that: each thread takes about 12 MiB plus its buffers.',
    impact: 'With fewer threads, a fast disk may not be fully loaded.',
    remedy:
      'Raise the memory limit of the container. If fewer threads are enough, pass --threads to silence the warning.',
    examples: [{ command: 'gobonnie --dir /mnt/disk --size 4 --threads 8', comment: 'use 8 threads' }],
  },
  'size-reduced': {
    title: `the disk has no room for ${defaultSizeMultiple} the RAM`,
    cause: `By default, gobonnie uses ${defaultSizeMultiple} the RAM, because that much data does not fit in RAM. The disk has less room, so gobonnie used less data. It always keeps ${formatBytes(MIN_FREE_BYTES)} free, or ${formatPercent(MIN_FREE_SHARE)} of the filesystem if that is less.`,
    impact:
      'RAM may hold part of the data and serve some reads. If that share was too large, the warning served-from-cache shows it, or device-share-unknown if no counter shows the share.',
    remedy:
      'Free some space, pass another --dir, or pass --direct (Linux and Windows) to bypass the page cache. gobonnie never reduces a --size that you pass: if it does not fit, the run fails.',
    examples: [
      { command: 'gobonnie --dir /mnt/disk --direct --size 4', comment: 'bypass the page cache' },
      { command: 'df -h /mnt/disk', comment: 'show the free space' },
    ],
  },
  'size-below-memory': {
    title: 'the data is smaller than the RAM',
    cause: 'gobonnie bonnie ran with less data (-s) than the machine has RAM, and without -o_direct.',
    impact: 'All the data fits in the page cache, so the results may show the speed of RAM, not of the disk.',
    remedy: 'Pass a -s of at least twice the RAM, or -o_direct (Linux and Windows) to bypass the page cache.',
    examples: [
      { command: 'gobonnie bonnie -d /mnt/disk -s 4096 -o_direct', comment: 'bypass the page cache' },
    ],
  },
  'direct-io-unavailable': {
    title: 'zones cannot bypass the page cache',
    cause:
      'The file that gobonnie zones reads is on a filesystem without O_DIRECT, or on a system without it, such as macOS.',
    impact: 'The reads go through the page cache. Parts of the file that are cached look too fast.',
    remedy:
      'Read the device under the filesystem instead. On Linux, a block device always accepts O_DIRECT; on macOS, the raw disk /dev/rdisk0 bypasses the cache on its own. On Windows, read a file much larger than the RAM.',
    examples: [
      { command: 'sudo gobonnie zones /dev/sda', comment: 'read the device itself, on Linux' },
      {
        command: 'sudo gobonnie zones /dev/rdisk0',
        comment: 'the same on macOS; diskutil list shows the disks',
      },
    ],
  },
  'not-read-from-device': {
    title: 'not all data that zones read came from a device, or no counter shows it',
    cause:
      "The kernel's counters show that less than 95 % of the data that gobonnie zones read came from a device. Or no counter covers the file: on a network filesystem, FUSE, ZFS, a loop device without direct I/O, or in a container that hides the counters. Or the file is in RAM: tmpfs, zram, a RAM disk.",
    impact:
      'The missing data was cached, or there was nothing to read: holes in a sparse file, or data that the filesystem compresses. The rates of these parts are not the rates of a disk.',
    remedy:
      'Read the device under the filesystem if there is one, or a file without holes on a filesystem without compression.',
    examples: [
      { command: 'sudo gobonnie zones /dev/sda', comment: 'read the device itself' },
      {
        command: 'sudo losetup --direct-io=on /dev/loop0',
        comment: 'stop the loop device from caching its file',
      },
      { command: 'ls -ls image.raw', comment: 'fewer blocks than its size: the file has holes' },
    ],
  },
  'no-cleanup-process': {
    title: 'no clean-up process: if killed, this run leaves files behind',
    cause:
      'Each run starts a clean-up process that removes the temporary files if the run is killed. It failed to start or ended too early; the warning has the reason.',
    impact:
      'The results are not affected. After kill -9 or a crash, the files remain. Otherwise, the run removes them itself.',
    remedy:
      'You need not do anything: the next run in the same directory, or gobonnie clean, removes the leftover files. If a process limit is the reason, raise it.',
    examples: [
      { command: 'gobonnie clean --dry-run /mnt/disk', comment: 'list leftover files' },
      { command: 'ulimit -u', comment: 'show the process limit' },
    ],
  },
  'writable-by-others': {
    title: 'other users can write to the temporary files',
    cause:
      'gobonnie creates its temporary directory for its own user only. But this mount shows all files as writable by others or owned by an unknown user. Windows drives in WSL, FAT, exFAT and some container and FUSE mounts do this.',
    impact:
      'Other users of this system could change, replace or remove the temporary files during the run. If you are the only user, you can ignore this. On these mounts, gobonnie rejects small files (create, stat, delete) for root, because links could lead root to other directories; Windows drives in WSL and Docker Desktop mounts are exempt.',
    remedy:
      'On a machine with other users, use a mount that keeps owners and modes. For a Windows drive in WSL, set the mount option metadata (in /etc/wsl.conf); for FAT and exFAT on Linux, use uid and umask=077.',
    examples: [
      { command: 'findmnt -T /mnt/c', comment: 'show its mount options' },
      { command: 'gobonnie --dir ~/bench --size 4', comment: 'use a directory of your own' },
    ],
  },
  'renamable-directory': {
    title: 'other users can rename the directory, so gobonnie opens files through /proc',
    cause:
      'Others (users, a group, the program behind a FUSE filesystem) can rename the directory or a directory above it, and put something else in its place. So gobonnie keeps it open and opens every file through /proc, where nobody can redirect it.',
    impact:
      'Phases that move data are not affected. create, stat and delete take a few microseconds more per file than in a directory of your own, so their rates are slightly lower.',
    remedy:
      'If these rates matter, use a directory that only you can write to, with no directory above it that others can write to.',
    examples: [
      {
        command: 'gobonnie --dir ~/bench --phases create,stat,delete',
        comment: 'created for the run, then removed',
      },
    ],
  },
};
