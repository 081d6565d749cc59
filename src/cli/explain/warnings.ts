import { SECTOR_BYTES } from '../../../workers/data/test-data.js';
import { DEFAULTS, LEAST_STABLE_RUNS } from '../../options/catalogue.js';
import { DEFAULT_SIZE_IN_MEMORIES, KEEP_FREE_BYTES, KEEP_FREE_SHARE } from '../../plan/size.js';
import { FALL } from '../../report/measure/cliff.js';
import {
  BUSY_SHARE,
  LEAST_SECONDS,
  OTHERS_BYTES_PER_SECOND,
  OTHERS_SHARE,
  REACHED_SHARE,
  SERVED_SHARE,
  STOLEN_SHARE,
} from '../../report/measure/warnings.js';
import type { Warning } from '../../report/schema/report.js';
import { LEAST_SUSPENDED_MS } from '../../run/kernel/suspension.js';
import { MB, showBytes } from '../../text/units.js';
import type { Explanation } from './explanation.js';

const percent = (share: number) => `${share * 100} %`;
const times = DEFAULT_SIZE_IN_MEMORIES === 2 ? 'twice' : `${DEFAULT_SIZE_IN_MEMORIES} times`;

/** Every warning that a report can hold. */
export const warnings: Readonly<Record<Warning['code'], Explanation>> = {
  'memory-served': {
    title: 'memory served part of the reads',
    seen: `By the kernel's counters less than ${percent(SERVED_SHARE)} of what the phase read came from the device (for random reads: of the pages they touched). The rest came from the page cache, which is memory.`,
    means:
      'The figure mixes the two, and memory is so much faster that a small part of it makes a slow disk look good. A random phase on little data gets there by itself: what is read a second time is in memory already. Small files are, because they were created a moment before.',
    remedy: `Pass --direct, which bypasses the page cache, or measure more data than fits in memory (the default is ${times} the memory). --cache auto, the default, empties the cache before the reads as far as it can, best as root. If the warning appears with --direct, the filesystem accepts the flag and still buffers: measure another one. For small files pass more of them, or larger ones.`,
    examples: [
      { command: 'gobonnie --dir /mnt/disk --direct', does: 'bypass the page cache' },
      { command: 'sudo gobonnie --dir /mnt/disk', does: 'as root the whole page cache is emptied' },
      { command: 'gobonnie --dir /mnt/disk --size 64', does: 'more than fits in memory' },
    ],
  },
  'still-dirty': {
    title: 'most of what was written was still in memory when the clock stopped',
    seen: `Less than ${percent(REACHED_SHARE)} of what a phase wrote had reached the device when its clock stopped. The kernel had accepted the rest, to write it later.`,
    means:
      'The figure shows how fast memory accepts data. A program sees that rate for a while, but the disk cannot sustain it. If gobonnie synced the data afterwards, the warning and the report (durable) have the rate until all of it was on the device.',
    remedy:
      'Pass --fsync, which includes the sync in the time; or --direct, which bypasses memory; or a larger --size, of which memory can hide only a small part. putc always goes through memory, so use --fsync for it; for small files use --sync-writes.',
    examples: [
      { command: 'gobonnie --dir /mnt/disk --fsync', does: 'a durable figure' },
      { command: 'gobonnie --dir /mnt/disk --direct', does: 'bypass the page cache' },
    ],
  },
  'memory-filesystem': {
    title: 'the directory is in memory, not on a disk',
    seen: 'The directory is on tmpfs or ramfs, which keep files in memory. /dev/shm is, and on many systems so is /tmp.',
    means: 'All figures show the speed of memory. They say nothing about a disk.',
    remedy: 'Pass a directory on the disk that you want to measure. df shows what a directory is on.',
    examples: [
      { command: 'df --output=fstype,source /mnt/disk', does: 'what the directory is on' },
      { command: 'gobonnie --dir /mnt/disk', does: 'measure it' },
    ],
  },
  'compressing-filesystem': {
    title: 'the filesystem compresses, and the data may compress well',
    seen: 'The mount options say that the filesystem compresses (btrfs, f2fs, NTFS), and gobonnie writes one random block repeatedly, as it does by default.',
    means:
      'A single block does not compress, but a filesystem that looks at several blocks at once finds the repetition and stores it once. What is not stored costs nothing, so all figures can look too good.',
    remedy:
      'Pass --unique, so that no two blocks are alike. To see how fast the filesystem is with data like yours, add --compressible with the percentage by which your data compresses.',
    examples: [
      { command: 'gobonnie --dir /mnt/disk --unique', does: 'compression gains nothing' },
      {
        command: 'gobonnie --dir /mnt/disk --unique --compressible 50',
        does: 'half of the data compresses away',
      },
    ],
  },
  'cache-not-emptied': {
    title: 'the page cache could not be emptied before the reads',
    seen: "What was written is in the page cache, and gobonnie could not empty it before reading. Dropping the whole cache needs root, on Linux or macOS; evicting only the test's own files needs Linux and GNU dd.",
    means:
      'Memory can serve some of the reads, so read and IOPS may look too good. If the kernel counts it, the report says how much the device served, and the warning memory-served appears when that was too little.',
    remedy: `Pass --direct on Linux, or run as root. If you can do neither, use a larger --size: of ${times} the memory, the default, memory can hold half at most.`,
    examples: [
      { command: 'gobonnie --dir /mnt/disk --direct', does: 'bypass the page cache' },
      { command: 'sudo gobonnie --dir /mnt/disk', does: 'as root the whole page cache is emptied' },
    ],
  },
  cliff: {
    title: 'the rate fell during the phase and stayed low',
    seen: `The rate was steady, then fell to ${percent(FALL)} or less of that and was steady again until the end. The warning has both rates and the moment.`,
    means:
      'The figure is the mean of both rates, and neither of them. At such a moment a fast part is full: the cache of an SSD or a controller, or the memory for unwritten data; or a cloud volume has used up its burst credits.',
    remedy:
      'Decide which of the two you want to know. A larger --size or, for IOPS, a longer --iops-duration shows the sustained rate, because the first part then hardly counts. A --size that ends before the cliff shows the burst. The rate over time is in the report (series).',
    examples: [
      { command: 'gobonnie --dir /mnt/disk --size 200 --iops-duration 120', does: 'the sustained rate' },
      {
        command: "jq '.runs[].measurements[] | {phase, cliff}' report.json",
        does: 'from a report of --out report.json',
      },
    ],
  },
  suspended: {
    title: 'gobonnie was suspended during the phase',
    seen: `For ${LEAST_SUSPENDED_MS} ms or more no part of the program ran: a timer fired that late although its thread was only waiting for it. A disk that does not respond blocks other threads, not that one.`,
    means:
      'The clock kept running, so the figure is too low, and the longest latency may be the pause. gobonnie was suspended (Ctrl-Z and later fg, kill -STOP), its container was paused (docker pause) or its VM was, or the machine was so busy that gobonnie got no CPU time.',
    remedy: 'Measure again without interrupting it.',
    examples: [
      { command: 'gobonnie --dir /mnt/disk --runs 5', does: 'measure again' },
      {
        command: 'jq ".runs[].measurements[].suspendedSeconds" report.json',
        does: 'from a report of --out report.json',
      },
    ],
  },
  'others-busy': {
    title: 'other programs used the same device',
    seen: `While a phase ran, the device moved data that gobonnie had not asked for: more than ${percent(OTHERS_SHARE)} of what the phase itself moved, and more than ${OTHERS_BYTES_PER_SECOND / MB} MB/s. Phases shorter than ${LEAST_SECONDS} s are not checked.`,
    means:
      'The disk was shared, so the rate is lower, and the latency higher, than the disk alone would show.',
    remedy:
      'Stop what else uses the device (a backup, a database, an update, another VM) and measure again. If it is never quiet, measure several times and look at the confidence interval.',
    examples: [
      { command: 'sudo iotop -o', does: 'who uses the device' },
      {
        command: 'gobonnie --dir /mnt/disk --until-stable 5',
        does: 'repeat until the figures are known to 5 %',
      },
    ],
  },
  'cpu-stolen': {
    title: 'the hypervisor gave CPU time to other machines',
    seen: `This is a virtual machine, and ${percent(STOLEN_SHARE)} or more of its CPU time went to others while a phase ran (steal time). Phases shorter than ${LEAST_SECONDS} s are not checked.`,
    means:
      "Without a CPU nothing is asked of the disk, so the rate is lower, and the latency higher, than the disk's own.",
    remedy:
      'Measure again when the host is quieter, and several times, so that the spread shows how much it matters.',
    examples: [
      {
        command: 'gobonnie --dir /mnt/disk --runs 5',
        does: 'with mean and confidence interval in the report',
      },
      {
        command: 'gobonnie --dir /mnt/disk --until-stable 5',
        does: 'repeat until the figures are known to 5 %',
      },
    ],
  },
  'cpu-saturated': {
    title: 'all CPUs were busy',
    seen: `All CPUs of the machine together were busy for ${percent(BUSY_SHARE)} of the phase or more. Phases shorter than ${LEAST_SECONDS} s are not checked.`,
    means:
      'The figure may show how fast the CPUs can send requests, not how fast the disk can serve them: the disk may be faster. It happens with small operations on a fast disk, with encryption or compression in the filesystem, and on a machine that is busy with something else.',
    remedy:
      'Move more with each operation, with a larger --block-size (write, read) or --io-size (IOPS), or stop other programs. With -v a line for each phase says how much CPU time gobonnie itself used.',
    examples: [
      { command: 'gobonnie --dir /mnt/disk --block-size 1m --io-size 4k', does: 'fewer, larger operations' },
      { command: 'gobonnie --dir /mnt/disk --direct -v', does: 'no copies through the page cache' },
    ],
  },
  'not-stable': {
    title: '--until-stable reached --max-runs',
    seen: `After as many runs as --max-runs allows (${DEFAULTS.maxRuns} by default, at least ${LEAST_STABLE_RUNS}) the 95 % confidence interval of some figure was still wider than --until-stable allows.`,
    means:
      'The means are the best estimate so far, but less certain than you asked for. The statistics in the report have the interval of every figure.',
    remedy:
      'Look for the cause of the noise: other warnings of the same report may name it. Otherwise allow more runs or a wider interval: half the width takes about four times as many runs.',
    examples: [
      { command: 'gobonnie --until-stable 5 --max-runs 100', does: 'more runs' },
      { command: 'gobonnie --until-stable 10', does: 'a wider interval' },
      { command: "jq '.statistics[]' report.json", does: 'from a report of --out report.json' },
    ],
  },
  'io-size-raised': {
    title: 'the random operations are larger than requested',
    seen: `--io-size was less than can be moved at once: direct I/O moves whole blocks of the device or filesystem, and --unique and --verify stamp sectors of ${SECTOR_BYTES} bytes. The random operations were made that large.`,
    means: `IOPS were measured with the size in the warning instead of the requested one or the default of ${DEFAULTS.ioSize} bytes. Do not compare them with figures of another size.`,
    remedy: 'Pass that size yourself to silence the warning.',
    examples: [
      { command: 'gobonnie --dir /mnt/disk --direct --io-size 4k', does: 'the block size of most disks' },
    ],
  },
  'size-cut': {
    title: `${times} the memory does not fit on the disk`,
    seen: `By default gobonnie uses ${times} the memory, so that memory cannot hold the data. The disk has less room: of its free space ${showBytes(KEEP_FREE_BYTES)} stays free, or ${percent(KEEP_FREE_SHARE)} of the filesystem if that is less. gobonnie measured with what fits.`,
    means:
      'Memory may hold part of the data and serve some of the reads. If that was too much, the warning memory-served says so, with the share.',
    remedy:
      'Free some space, or pass another --dir. Or pass --direct, which bypasses memory. A --size of your own is never reduced: it is refused if it does not fit.',
    examples: [
      { command: 'gobonnie --dir /mnt/disk --direct --size 4', does: 'bypass memory' },
      { command: 'df -h /mnt/disk', does: 'how much is free' },
    ],
  },
  'size-below-memory': {
    title: 'there is less data than memory',
    seen: 'gobonnie bonnie was asked for less data (-s) than the machine has memory, and without -o_direct.',
    means: 'All of the data fits in the page cache, so the figures may be those of memory, not of the disk.',
    remedy: 'Pass a -s of at least twice the memory, or -o_direct, which bypasses the page cache.',
    examples: [{ command: 'gobonnie bonnie -d /mnt/disk -s 4096 -o_direct', does: 'bypass the page cache' }],
  },
  'not-direct': {
    title: 'zones cannot bypass the page cache',
    seen: 'The filesystem of the file that gobonnie zones reads does not accept O_DIRECT.',
    means:
      'The reads go through the page cache. If a part of the file is in memory, its rates look too good.',
    remedy: 'Read the device under the filesystem instead: a block device always accepts O_DIRECT.',
    examples: [{ command: 'sudo gobonnie zones /dev/sda', does: 'read the device itself' }],
  },
  'not-from-device': {
    title: 'zones read more than a device delivered',
    seen: "By the kernel's own counts less than 95 % of what gobonnie zones read came from a device.",
    means:
      'The rest was in memory, or there was nothing to fetch: holes in a sparse file, or data that the filesystem compresses. The rates of such parts are not those of a disk.',
    remedy:
      'Read the device under the filesystem, or a file without holes on a filesystem without compression.',
    examples: [
      { command: 'sudo gobonnie zones /dev/sda', does: 'read the device itself' },
      { command: 'ls -ls image.raw', does: 'fewer blocks than its size means holes' },
    ],
  },
  unwatched: {
    title: 'no process would clean up if this run were killed',
    seen: 'Each run starts a small process that removes the temporary files if the run is killed. It could not be started or has ended too early; the warning says which, and why.',
    means:
      'The figures are not affected. After kill -9 or a crash the files would stay; in all other cases the run removes them itself.',
    remedy:
      'Nothing: the next run in the same directory removes what a killed one has left, and so does gobonnie clean. If a limit on processes is the reason, raise it.',
    examples: [
      { command: 'gobonnie clean --dry-run /mnt/disk', does: 'what a killed run has left' },
      { command: 'ulimit -u', does: 'how many processes you may have' },
    ],
  },
  'renamable-directory': {
    title: 'other users can rename the directory, so files are opened through /proc',
    seen: 'Others (users, their group, the program behind a FUSE filesystem) can rename the directory, or one above it, and put something else in its place. So gobonnie keeps it open and opens every file through /proc, where nobody can redirect it.',
    means:
      'Phases that move data are not affected. create, stat and delete take a few microseconds longer for each file than in a directory of your own, so their figures are a little lower.',
    remedy:
      'If these figures matter, measure in a directory that only you can write to, and below none that others can write to.',
    examples: [
      {
        command: 'gobonnie --dir ~/bench --phases create,stat,delete',
        does: 'made for the run, and removed again',
      },
    ],
  },
};
