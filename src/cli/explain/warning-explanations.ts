import { SECTOR_BYTES } from '../../../workers/data/test-data.js';
import { MIN_STABLE_RUNS, OPTION_DEFAULTS } from '../../options/option-catalogue.js';
import { MIN_FREE_BYTES, MIN_FREE_SHARE } from '../../plan/size.js';
import type { Warning } from '../../report/schema/report.js';
import { formatBytes } from '../../text/units.js';
import { defaultSizeMultiple, type Explanation, formatPercent } from './explanation.js';
import { measurementWarningExplanations } from './measurement-warning-explanations.js';

/** Every warning that a report can hold. */
export const warningExplanations: Readonly<Record<Warning['code'], Explanation>> = {
  ...measurementWarningExplanations,
  'memory-filesystem': {
    title: 'the directory is in memory, not on a disk',
    cause:
      'The directory is on tmpfs or ramfs, which keep files in memory: /dev/shm is, and on many systems so is /tmp. Or its device is a part of memory: zram, a RAM disk, or a loop device whose file is on tmpfs.',
    impact: 'All figures show the speed of memory. They say nothing about a disk.',
    remedy: 'Pass a directory on the disk that you want to measure. df shows what a directory is on.',
    examples: [
      { command: 'df --output=fstype,source /mnt/disk', comment: 'what the directory is on' },
      { command: 'gobonnie --dir /mnt/disk --size 4', comment: 'measure it' },
    ],
  },
  'remote-filesystem': {
    title: 'another system serves the directory',
    cause:
      'The directory is on a mount that passes each operation on to another system: a drive of Windows in WSL (/mnt/c), a directory of macOS or Windows in a container of Docker Desktop, a directory that the host shares with a virtual machine (9p, virtiofs, vboxsf, vmhgfs, prl_fs), or one of another machine (NFS, SMB, sshfs).',
    impact:
      'Each operation takes a round trip to the other system. The figures are true for programs here, but they are lower than those of the disk, above all for small files and small blocks. The other system has a cache of its own, which gobonnie can neither see nor empty, so reads may also come from its memory, however much data is measured against the memory here.',
    remedy:
      'Keep files that must be fast off that mount: in WSL in your home instead of /mnt/c, with Docker Desktop in a volume instead of a bind mount. gobonnie ab shows what that gains. Of a file server, measure more data than its memory holds.',
    examples: [
      {
        command: 'gobonnie ab --phases create,delete --allow-cached /mnt/c/Users/Public ~',
        comment: 'small files',
      },
      {
        command: 'gobonnie ab --size 0.5 --allow-cached /mnt/c/Users/Public ~',
        comment: 'large files',
      },
    ],
  },
  'compressing-filesystem': {
    title: 'the filesystem compresses, and the data may compress well',
    cause:
      'The mount options say that the filesystem compresses (btrfs, f2fs, NTFS), and gobonnie writes one random block repeatedly, as it does by default.',
    impact:
      'A single block does not compress, but a filesystem that looks at several blocks at once finds the repetition and stores it once. What is not stored costs nothing, so all figures can look too good.',
    remedy:
      'Pass --unique, so that no two blocks are alike. To see how fast the filesystem is with data like yours, add --compressible with the percentage by which your data compresses.',
    examples: [
      { command: 'gobonnie --dir /mnt/disk --size 4 --unique', comment: 'compression gains nothing' },
      {
        command: 'gobonnie --dir /mnt/disk --size 4 --unique --compressible 50',
        comment: 'half of the data compresses away',
      },
    ],
  },
  'zero-filled': {
    title: 'the filesystem fills the file that all threads share with zeros',
    cause:
      'All threads write to one file (--one-file, --shared-file), each from its own offset, on FAT, exFAT or NTFS. Files there have no holes unless they are marked as sparse: when a thread writes beyond the end of the file, the filesystem first fills the gap with zeros.',
    impact:
      'Most of the file may be written twice while threads wait for each other, so writing may look several times slower than it is: with four threads and direct I/O it took about five times as long on FAT and exFAT. The phases after it find the file complete, and are not affected.',
    remedy:
      'Leave out --one-file, so that each thread has a file of its own. To measure several threads in one file, use a filesystem with sparse files, such as ext4, XFS, APFS or ReFS.',
    examples: [
      { command: 'gobonnie --dir /mnt/stick --size 4', comment: 'a file for each thread' },
      {
        command: 'gobonnie --dir /mnt/stick --size 4 --one-file --threads 1',
        comment: 'one file from start to end',
      },
    ],
  },
  'cache-not-dropped': {
    title: 'the page cache could not be emptied before the reads',
    cause:
      "What was written is in the page cache, and gobonnie could not empty it before reading. Dropping the whole cache needs root, on Linux or macOS; evicting only the test's own files needs Linux and GNU dd.",
    impact:
      'Memory can serve some of the reads, so read and IOPS may look too good. If the kernel counts it, the report says how much the device served, and the warning served-from-cache appears when that was too little.',
    remedy: `Pass --direct on Linux or Windows, run as root on Linux or macOS, or on Linux install GNU coreutils if dd is that of busybox (apk add coreutils on Alpine). If you can do none of these, use a larger --size: of ${defaultSizeMultiple} the memory, the default, memory can hold half at most.`,
    examples: [
      { command: 'gobonnie --dir /mnt/disk --size 4 --direct', comment: 'bypass the page cache' },
      {
        command: 'sudo gobonnie --dir /mnt/disk --size 4',
        comment: 'as root the whole page cache is emptied',
      },
    ],
  },
  bimodal: {
    title: 'the runs have two speeds',
    cause:
      'Of five or more runs some were at one speed and the others at another, 1.5 times as high or more, with nothing between them.',
    impact:
      'The mean is a speed that the disk never had. Two speeds in turn come from a cache that is full in every other run, from a throttle that starts and ends, or from a processor or host that is slower at times.',
    remedy:
      'Look at the runs one by one (runs in the report), and for what differs between them; other warnings of the same report may name it. Compare only runs of the same speed.',
    examples: [
      { command: 'jq ".runs[].measurements[] | [.phase, .bytesPerSecond]" report.json', comment: 'each run' },
    ],
  },
  outliers: {
    title: 'some runs are far from the others',
    cause:
      'Of five or more runs some are more than ten standard deviations (estimated from the median deviation) and 25 % from the median.',
    impact: 'Something disturbed them, or helped them. They move the mean, and make its interval wide.',
    remedy:
      'Measure again when the machine is quiet. If it happens again, it belongs to the disk: look at the runs one by one.',
    examples: [
      { command: 'gobonnie --size 0.5 --runs 10 --out report.json', comment: 'more runs, and each of them' },
    ],
  },
  'not-stable': {
    title: '--until-stable reached --max-runs',
    cause: `After as many runs as --max-runs allows (${OPTION_DEFAULTS.maxRuns} by default, at least ${MIN_STABLE_RUNS}) the 95 % confidence interval of some figure was still wider than --until-stable allows.`,
    impact:
      'The means are the best estimate so far, but less certain than you asked for. The statistics in the report have the interval of every figure as it was timed.',
    remedy:
      'Look for the cause of the noise: other warnings of the same report may name it. Otherwise allow more runs or a wider interval: half the width takes about four times as many runs.',
    examples: [
      { command: 'gobonnie --size 1 --until-stable 5 --max-runs 100', comment: 'more runs, 100 GiB at most' },
      {
        command: 'gobonnie --size 1 --until-stable 10 --out report.json',
        comment: 'a wider interval, 30 GiB at most',
      },
      { command: 'jq ".statistics[]" report.json', comment: 'from a report of --out report.json' },
    ],
  },
  'io-size-raised': {
    title: 'the random operations are larger than requested',
    cause: `--io-size was less than can be moved at once: direct I/O moves whole blocks of the device or filesystem, and --unique and --verify stamp sectors of ${SECTOR_BYTES} bytes. The random operations were made that large.`,
    impact: `IOPS were measured with the size in the warning instead of the requested one or the default of ${OPTION_DEFAULTS.ioSize} bytes. Do not compare them with figures of another size.`,
    remedy: 'Pass that size yourself to silence the warning.',
    examples: [
      {
        command: 'gobonnie --dir /mnt/disk --size 4 --direct --io-size 4k',
        comment: 'the block size of most disks',
      },
    ],
  },
  'threads-reduced': {
    title: 'the memory is too small for a thread for each core',
    cause:
      'Without --threads gobonnie starts a thread for each core, as far as a CPU quota of the container lets it use them. The memory, or its limit in a container, is too small for so many: each takes about 12 MiB, and its buffers.',
    impact: 'Fewer threads measure, so a fast disk may not be fully loaded.',
    remedy:
      'Raise the memory limit of the container. If fewer threads are what you want, pass --threads: then there is no warning.',
    examples: [{ command: 'gobonnie --dir /mnt/disk --size 4 --threads 8', comment: 'with 8 threads' }],
  },
  'size-reduced': {
    title: `${defaultSizeMultiple} the memory does not fit on the disk`,
    cause: `By default gobonnie uses ${defaultSizeMultiple} the memory, so that memory cannot hold the data. The disk has less room: of its free space ${formatBytes(MIN_FREE_BYTES)} stays free, or ${formatPercent(MIN_FREE_SHARE)} of the filesystem if that is less. gobonnie measured with what fits.`,
    impact:
      'Memory may hold part of the data and serve some of the reads. If that was too much, the warning served-from-cache says so with the share, or device-share-unknown if nothing counts it.',
    remedy:
      'Free some space, or pass another --dir. Or pass --direct (Linux and Windows), which bypasses memory. A --size of your own is never reduced: it is refused if it does not fit.',
    examples: [
      { command: 'gobonnie --dir /mnt/disk --direct --size 4', comment: 'bypass memory' },
      { command: 'df -h /mnt/disk', comment: 'how much is free' },
    ],
  },
  'size-below-memory': {
    title: 'there is less data than memory',
    cause: 'gobonnie bonnie was asked for less data (-s) than the machine has memory, and without -o_direct.',
    impact: 'All of the data fits in the page cache, so the figures may be those of memory, not of the disk.',
    remedy:
      'Pass a -s of at least twice the memory, or -o_direct (Linux and Windows), which bypasses the page cache.',
    examples: [
      { command: 'gobonnie bonnie -d /mnt/disk -s 4096 -o_direct', comment: 'bypass the page cache' },
    ],
  },
  'direct-io-unavailable': {
    title: 'zones cannot bypass the page cache',
    cause:
      'The filesystem of the file that gobonnie zones reads does not accept O_DIRECT, or the system does not have it, like macOS.',
    impact:
      'The reads go through the page cache. If a part of the file is in memory, its rates look too good.',
    remedy:
      'Read the device under the filesystem instead: on Linux a block device always accepts O_DIRECT, and on macOS the raw disk /dev/rdisk0 bypasses the cache by itself. On Windows read a file well above the RAM.',
    examples: [
      { command: 'sudo gobonnie zones /dev/sda', comment: 'read the device itself, on Linux' },
      {
        command: 'sudo gobonnie zones /dev/rdisk0',
        comment: 'on macOS; diskutil list shows which disks there are',
      },
    ],
  },
  'not-read-from-device': {
    title: 'zones read more than a device delivered, or nothing can tell',
    cause:
      "By the kernel's own counts less than 95 % of what gobonnie zones read came from a device. Or nothing counts what it reads: on a network filesystem, FUSE, ZFS, a loop device without direct I/O, and where a container hides the counts. Or it is in memory: tmpfs, zram, a RAM disk.",
    impact:
      'What is missing was in memory, or there was nothing to fetch: holes in a sparse file, or data that the filesystem compresses. The rates of such parts are not those of a disk.',
    remedy:
      'Read the device under the filesystem, where there is one, or a file without holes on a filesystem without compression.',
    examples: [
      { command: 'sudo gobonnie zones /dev/sda', comment: 'read the device itself' },
      {
        command: 'sudo losetup --direct-io=on /dev/loop0',
        comment: 'the loop device no longer caches its file',
      },
      { command: 'ls -ls image.raw', comment: 'fewer blocks than its size means holes' },
    ],
  },
  'no-cleanup-process': {
    title: 'no process would clean up if this run were killed',
    cause:
      'Each run starts a clean-up process that removes the temporary files if the run is killed. It could not be started or has ended too early; the warning says which, and why.',
    impact:
      'The figures are not affected. After kill -9 or a crash the files would stay; in all other cases the run removes them itself.',
    remedy:
      'Nothing: the next run in the same directory removes what a killed one has left, and so does gobonnie clean. If a limit on processes is the reason, raise it.',
    examples: [
      { command: 'gobonnie clean --dry-run /mnt/disk', comment: 'what a killed run has left' },
      { command: 'ulimit -u', comment: 'how many processes you may have' },
    ],
  },
  'writable-by-others': {
    title: 'other users can write to the temporary files',
    cause:
      'gobonnie makes its temporary directory for its user alone. This mount shows all its files as writable by others or owned by an unknown user, as Windows drives in WSL, FAT, exFAT and some container and FUSE mounts do.',
    impact:
      'Other users of the same system could change, replace or remove the temporary files during the run. If you are the only user, nothing is different. Except on Windows drives in WSL and mounts of Docker Desktop, root is refused small files there (create, stat, delete), as links could lead root to other directories.',
    remedy:
      'On a machine with other users measure a mount that keeps owners and modes. A Windows drive in WSL keeps them with the mount option metadata (in /etc/wsl.conf); for FAT and exFAT on Linux use uid and umask=077.',
    examples: [
      { command: 'findmnt -T /mnt/c', comment: 'how it is mounted' },
      { command: 'gobonnie --dir ~/bench --size 4', comment: 'measure a directory of your own' },
    ],
  },
  'renamable-directory': {
    title: 'other users can rename the directory, so files are opened through /proc',
    cause:
      'Others (users, their group, the program behind a FUSE filesystem) can rename the directory, or one above it, and put something else in its place. So gobonnie keeps it open and opens every file through /proc, where nobody can redirect it.',
    impact:
      'Phases that move data are not affected. create, stat and delete take a few microseconds longer for each file than in a directory of your own, so their figures are a little lower.',
    remedy:
      'If these figures matter, measure in a directory that only you can write to, and below none that others can write to.',
    examples: [
      {
        command: 'gobonnie --dir ~/bench --phases create,stat,delete',
        comment: 'made for the run, and removed again',
      },
    ],
  },
};
