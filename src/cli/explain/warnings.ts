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
    title: 'memory answered a part of what was read',
    seen: `By the kernel's own counts less than ${percent(SERVED_SHARE)} of what the phase read (of random reads, of the pages that they touched) came from the device. The rest was in the page cache, which is memory.`,
    means:
      'The figure is a mixture of the two, and memory is so much faster that a little of it makes a slow disk look good. A random phase on little data comes to this by and by: what is touched a second time is in memory already. Small files are, because they were made a moment before.',
    remedy: `Pass --direct, which goes past the page cache, or measure more data than the memory holds (the default is ${times} the memory). --cache auto, the default, empties the cache before the reads as well as it can, as root best. Where the warning comes with --direct, the filesystem takes the flag and buffers all the same: measure on another one. Of small files pass more, or larger ones.`,
    examples: [
      { command: 'gobonnie --dir /mnt/disk --direct', does: 'past the page cache' },
      { command: 'sudo gobonnie --dir /mnt/disk', does: 'as root the whole cache is emptied' },
      { command: 'gobonnie --dir /mnt/disk --size 64', does: 'more than memory holds' },
    ],
  },
  'still-dirty': {
    title: 'most of what was written was still in memory when the clock stopped',
    seen: `Less than ${percent(REACHED_SHARE)} of what a phase wrote had reached the device as its clock stopped. The kernel had taken the rest, to write it later.`,
    means:
      'The figure is how fast memory takes data. A program sees that for a while, but it is not what the disk can keep up. Where gobonnie synced the data afterwards, the warning has the rate until all of it was on the device, and so has the report (durable).',
    remedy:
      'Pass --fsync, which takes the sync into the time of the test; or --direct, which goes past memory; or a larger --size, of which memory can hide only a small part. putc goes through memory in any case, so --fsync is for it; for small files it is --sync-writes.',
    examples: [
      { command: 'gobonnie --dir /mnt/disk --fsync', does: 'a figure that is durable' },
      { command: 'gobonnie --dir /mnt/disk --direct', does: 'past the page cache' },
    ],
  },
  'memory-filesystem': {
    title: 'the directory lies in memory, and on no disk',
    seen: 'The directory to be measured is on tmpfs or ramfs, which keep their files in memory. /dev/shm is, and on many systems so is /tmp.',
    means: "All figures are memory's. They say nothing of any disk.",
    remedy: 'Pass a directory on the disk that is meant. df tells on what a directory lies.',
    examples: [
      { command: 'df --output=fstype,source /mnt/disk', does: 'on what it lies' },
      { command: 'gobonnie --dir /mnt/disk', does: 'measures that' },
    ],
  },
  'compressing-filesystem': {
    title: 'the filesystem compresses, and the data may compress well',
    seen: 'The mount options say that the filesystem compresses (btrfs, f2fs, NTFS), and gobonnie was about to write one random block again and again, as it does by default.',
    means:
      'Within a block there is nothing to compress, but a filesystem that looks at more than a block at once finds the same again, and stores it once. What is not stored costs nothing, so that all figures can be too good.',
    remedy:
      'Pass --unique, so that no two blocks are alike; and --compressible with what your own data compresses by, if you want to know how fast the filesystem is with data like that.',
    examples: [
      { command: 'gobonnie --dir /mnt/disk --unique', does: 'nothing to be gained by compressing' },
      { command: 'gobonnie --dir /mnt/disk --unique --compressible 50', does: 'half of it compresses away' },
    ],
  },
  'cache-not-emptied': {
    title: 'the page cache could not be emptied before the reads',
    seen: "What was written is in the page cache, and gobonnie wanted to empty it before it read. No way to do so worked: to drop the whole cache takes root, on Linux or macOS; to evict the test's own files takes Linux and GNU dd.",
    means:
      'Memory can answer a part of the reads, so that the figures of reading and IOPS look too good. How much of them the device served is in the report where the kernel counts it, and a warning of its own, memory-served, says where it was too little.',
    remedy: `Pass --direct where the system is Linux, or run as root. Where neither can be, take a larger --size: of ${times} the memory, which is the default, memory can hold half at the most.`,
    examples: [
      { command: 'gobonnie --dir /mnt/disk --direct', does: 'past the page cache' },
      { command: 'sudo gobonnie --dir /mnt/disk', does: 'as root the whole cache is emptied' },
    ],
  },
  cliff: {
    title: 'the rate fell in the midst of the phase, and stayed low',
    seen: `The rate of a phase was steady, then fell to ${percent(FALL)} of that or less, and was steady again to the end. The warning has both rates and the moment.`,
    means:
      'The figure is the mean of both, and the rate of neither. At such a moment a fast part is full: the cache of an SSD or of a controller, or the memory for what waits to be written; or the credit is used up that a cloud grants its volumes for a burst.',
    remedy:
      'Decide which of the two you want to know. What lasts is shown by a larger --size or, for IOPS, a longer --iops-duration, in which the first part hardly counts. What a burst can do is shown by a --size that ends before the cliff. The whole course is in the report (series).',
    examples: [
      { command: 'gobonnie --dir /mnt/disk --size 200 --iops-duration 120', does: 'what lasts' },
      { command: "jq '.runs[].measurements[] | {phase, cliff}' report.json", does: 'of --out report.json' },
    ],
  },
  suspended: {
    title: 'the program itself was stopped in the midst of the phase',
    seen: `For ${LEAST_SUSPENDED_MS} ms or more nothing of the program ran: a timer came that late although its thread did nothing but wait for it. A disk that does not answer holds up the other threads, and not that one.`,
    means:
      'The clock went on, so the figure is too low, and the longest latency may be that of the pause. gobonnie was suspended (Ctrl-Z and later fg, kill -STOP), its container was frozen (docker pause) or its virtual machine was, or the machine was so busy that it never got a processor.',
    remedy: 'Measure again, and let it run.',
    examples: [
      { command: 'gobonnie --dir /mnt/disk --runs 5', does: 'again' },
      {
        command: 'jq ".runs[].measurements[].suspendedSeconds" report.json',
        does: 'of --out report.json',
      },
    ],
  },
  'others-busy': {
    title: 'somebody else used the same device meanwhile',
    seen: `While a phase ran, the device moved data that gobonnie had not asked for: more than ${percent(OTHERS_SHARE)} of what the phase itself moved, and more than ${OTHERS_BYTES_PER_SECOND / MB} MB/s. Phases shorter than ${LEAST_SECONDS} s are not judged.`,
    means:
      'The disk was shared, so that the rate is lower, and the latency higher, than the disk alone would show.',
    remedy:
      'Stop what else uses the device (a backup, a database, an update, another virtual machine) and measure again; or, where it never is quiet, measure several times and look at the interval.',
    examples: [
      { command: 'sudo iotop -o', does: 'who uses it' },
      { command: 'gobonnie --dir /mnt/disk --until-stable 5', does: 'again, until it is known to 5 %' },
    ],
  },
  'cpu-stolen': {
    title: "the hypervisor gave the processors' time to other machines",
    seen: `This is a virtual machine, and ${percent(STOLEN_SHARE)} or more of its processors' time went to others while a phase ran (steal time). Phases shorter than ${LEAST_SECONDS} s are not judged.`,
    means:
      "While the processors are away nothing is asked of the disk, so that the rate is lower, and the latency higher, than the disk's.",
    remedy:
      'Measure again when the host is quieter, and several times, so that the spread shows how much it matters.',
    examples: [
      { command: 'gobonnie --dir /mnt/disk --runs 5', does: 'with mean and interval in the report' },
      { command: 'gobonnie --dir /mnt/disk --until-stable 5', does: 'again, until it is known to 5 %' },
    ],
  },
  'cpu-saturated': {
    title: 'the processors had no time left',
    seen: `All processors of the machine together were busy for ${percent(BUSY_SHARE)} of the time of a phase or more. Phases shorter than ${LEAST_SECONDS} s are not judged.`,
    means:
      'The figure may be how fast the processors can ask, and not how fast the disk can answer: the disk may be faster than this. It happens with small operations on a fast disk, with encryption or compression in the filesystem, and on a machine that is busy with something else.',
    remedy:
      'Let each operation move more, with a larger --block-size (write, read) or --io-size (IOPS), or stop what else runs. With -v a line for each phase says how much of it was gobonnie itself.',
    examples: [
      { command: 'gobonnie --dir /mnt/disk --block-size 1m --io-size 4k', does: 'fewer, larger operations' },
      { command: 'gobonnie --dir /mnt/disk --direct -v', does: 'no copies through the page cache' },
    ],
  },
  'not-stable': {
    title: '--until-stable gave up',
    seen: `After as many runs as --max-runs allows (${DEFAULTS.maxRuns} by default, ${LEAST_STABLE_RUNS} at least) the 95 % interval of some figure was still wider than --until-stable wants it.`,
    means:
      'The means are the best that is known, but not known as well as you asked. The statistics of the report have the interval of every figure.',
    remedy:
      'Look for what disturbs: other warnings of the same report may name it. Else allow more runs, or a wider interval: for half of the width it takes about four times the runs.',
    examples: [
      { command: 'gobonnie --until-stable 5 --max-runs 100', does: 'more runs' },
      { command: 'gobonnie --until-stable 10', does: 'a wider interval' },
      { command: "jq '.statistics[]' report.json", does: 'of --out report.json' },
    ],
  },
  'io-size-raised': {
    title: 'the random operations moved more than was asked for',
    seen: `--io-size was less than can be moved at once: direct I/O moves whole blocks of the device or its filesystem, and --unique and --verify mark sectors of ${SECTOR_BYTES} bytes. The random operations were made as large as that.`,
    means: `IOPS were measured with the size that the warning names, and not with the one that was asked for, or the default of ${DEFAULTS.ioSize} bytes. A comparison with figures of another size would not be fair.`,
    remedy: 'Pass the size yourself, and the warning is gone.',
    examples: [{ command: 'gobonnie --dir /mnt/disk --direct --io-size 4k', does: 'what most disks want' }],
  },
  'size-cut': {
    title: `${times} the memory does not fit on the disk`,
    seen: `By default gobonnie uses ${times} the memory, so that memory cannot hold what is read. The disk has less room than that: of its free space ${showBytes(KEEP_FREE_BYTES)} stays free, or ${percent(KEEP_FREE_SHARE)} of the filesystem where that is less. So it was measured with what fits.`,
    means:
      'Memory may hold a part of the data and answer some of the reads. Where that was too much, the warning memory-served says so, with the share.',
    remedy:
      'Free some space, or pass another --dir. Or pass --direct, with which memory plays no part. With a --size of your own nothing is cut: it is refused where it does not fit.',
    examples: [
      { command: 'gobonnie --dir /mnt/disk --direct --size 4', does: 'memory plays no part' },
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
      { command: 'ls -ls image.raw', does: 'its blocks beside its size: fewer are holes' },
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
