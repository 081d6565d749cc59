import { CLIFF_SHARE } from '../../report/measure/cliff.js';
import {
  BUSY_SHARE,
  MEMORY_CEILING_SHARE,
  MIN_PHASE_SECONDS,
  type measurementWarnings,
  OTHER_IO_BYTES_PER_SECOND,
  OTHER_IO_SHARE,
  REACHED_SHARE,
  SERVED_SHARE,
  STEAL_SHARE,
} from '../../report/measure/measurement-warnings.js';
import { MIN_SUSPENDED_MS } from '../../run/kernel/suspension.js';
import { MB } from '../../text/units.js';
import { defaultSizeMultiple, type Explanation, formatPercent } from './explanation.js';

/** Every warning about a measurement. */
export const measurementWarningExplanations: Readonly<Record<keyof typeof measurementWarnings, Explanation>> =
  {
    'served-from-cache': {
      title: 'memory served part of the reads',
      cause: `By the kernel's counters less than ${formatPercent(SERVED_SHARE)} of what the phase read came from the device (for random reads: of the pages they touched). The rest came from the page cache, which is memory.`,
      impact:
        'The figure mixes the two, and memory is so much faster that a small part of it makes a slow disk look good. A random phase on little data causes this by itself, because what is read a second time is already in memory. So are small files, which were created a moment before.',
      remedy: `Pass --direct (Linux and Windows), which bypasses the page cache, or measure more data than fits in memory (the default is ${defaultSizeMultiple} the memory). --cache auto, the default, empties the cache before the reads as far as it can, best as root. If the warning appears with --direct, the filesystem accepts the flag and still buffers: measure another one. For small files pass more of them, or larger ones.`,
      examples: [
        { command: 'gobonnie --dir /mnt/disk --size 4 --direct', comment: 'bypass the page cache' },
        {
          command: 'sudo gobonnie --dir /mnt/disk --size 4',
          comment: 'as root the whole page cache is emptied',
        },
        { command: 'gobonnie --dir /mnt/disk --size 64', comment: 'writes 64 GiB, more than fits in memory' },
      ],
    },
    'device-share-unknown': {
      title: 'memory may have served the reads or kept the writes, and nothing can tell',
      cause: `Nothing counts what the device served here. Linux counts it for local filesystems, but not for network filesystems, FUSE, ZFS or a loop device without direct I/O, nor in a container that hides its counters; macOS and Windows do not count it. Names (files without data) are known to be on the device only after a sync, which Windows does not have for them. Memory could hold the data: it was less than ${defaultSizeMultiple} the memory, and was neither read directly from a local disk nor synced.`,
      impact:
        "Reads of what was written a moment before may have come from memory, and new files may still be there, at memory's speed. The disk may be slower than the figure by any factor.",
      remedy: `Measure more data than fits in memory (the default is ${defaultSizeMultiple} the memory), or on a local disk pass --direct, which Linux and Windows have; for small files --fsync-per-write, for names alone --fsync. A loop device of Linux takes direct I/O by losetup; if that refuses, attach the file anew with --sector-size 4096. --expect, --baseline, compare and ab do not judge such a figure unless --allow-cached is passed.`,
      examples: [
        {
          command: 'gobonnie --dir /mnt/share --size 64',
          comment: 'writes 64 GiB, more than fits in memory',
        },
        {
          command: 'sudo losetup --direct-io=on /dev/loop0',
          comment: 'the loop device no longer caches its file',
        },
      ],
    },
    'near-memory-speed': {
      title: 'a read was about as fast as memory, and nothing counts what the device served',
      cause: `After the first run gobonnie reads data that is certainly in memory, with the same loops, block size and threads: that is the memory ceiling. The figure reached ${formatPercent(MEMORY_CEILING_SHARE)} of it or more, and the kernel does not count what the device served: it counts for local filesystems on Linux, not for network filesystems, FUSE, ZFS or other systems.`,
      impact:
        "The data almost certainly came from the page cache, this machine's or a server's. The figure is memory's, and the disk may be slower by any factor.",
      remedy: `Measure more data than fits in memory (the default is ${defaultSizeMultiple} the memory), or on a local disk pass --direct, which Linux and Windows have. The ceiling is in the report (memoryCeiling), and -v prints it.`,
      examples: [
        {
          command: 'gobonnie --dir /mnt/share --size 64',
          comment: 'writes 64 GiB, more than fits in memory',
        },
        { command: 'jq .memoryCeiling report.json', comment: 'from a report of --out report.json' },
      ],
    },
    'still-dirty': {
      title: 'most of what was written was still in memory when the clock stopped',
      cause: `Less than ${formatPercent(REACHED_SHARE)} of what a phase wrote had reached the device when its clock stopped. The kernel had accepted the rest, to write it later. If nothing counts that, the warning is given when syncing the rest took clearly longer. It is also given when that doubled the time, because the count is of the whole host and can be too good.`,
      impact:
        'The figure shows how fast memory accepts data. A program sees that rate for a while, but the disk cannot sustain it. If gobonnie synced the data afterwards, the warning and the report (durable) have the rate until all of it was on the device.',
      remedy:
        'Pass --fsync, which includes the sync in the time; or --direct (Linux and Windows), which bypasses memory; or a larger --size, of which memory can hide only a small part. putc always goes through memory, so use --fsync for it; for small files use --fsync-per-write.',
      examples: [
        { command: 'gobonnie --dir /mnt/disk --size 4 --fsync', comment: 'a durable figure' },
        { command: 'gobonnie --dir /mnt/disk --size 4 --direct', comment: 'bypass the page cache' },
      ],
    },
    cliff: {
      title: 'the rate fell during the phase and stayed low',
      cause: `The rate was steady, then fell to ${formatPercent(CLIFF_SHARE)} or less of that and was steady again until the end. The warning has both rates and the moment.`,
      impact:
        'The figure is the mean of both rates, so it describes neither. At that moment something fast was full, such as the cache of an SSD or a controller, or the memory for unwritten data; or a cloud volume had used up its burst credits.',
      remedy:
        'Decide which of the two you want to know. A larger --size or, for IOPS, a longer --iops-duration shows the sustained rate, because the first part then hardly counts. A --size that ends before the cliff shows the burst. The rate over time is in the report (series).',
      examples: [
        { command: 'gobonnie --dir /mnt/disk --size 200 --out report.json', comment: 'writes 200 GiB' },
        {
          command: 'jq ".runs[].measurements[] | {phase, cliff}" report.json',
          comment: 'from a report of --out report.json',
        },
      ],
    },
    'stonewall-uneven': {
      title: 'not all threads caught up after --stonewall',
      cause:
        'At --stonewall the phase was cut: from then on the threads only caught up with the furthest of all, and those that were still behind after twice that time were stopped.',
      impact:
        'Some threads, or some hosts of a job, are much slower than others. The figure is that of all until the last had stopped, and each later phase uses only as much of the data as the slowest thread had written.',
      remedy:
        'Look for the slow one: -v shows each rank of a job. If all are slow with their first blocks or files, pass a larger --stonewall.',
      examples: [
        {
          command: 'gobonnie --dir /mnt/disk --size 4 --stonewall 60 -v',
          comment: 'measure again, up to 4 GiB',
        },
        {
          command: 'jq ".runs[].measurements[] | {phase, stonewall}" report.json',
          comment: 'from a report of --out report.json',
        },
      ],
    },
    suspended: {
      title: 'gobonnie was suspended during the phase',
      cause: `For ${MIN_SUSPENDED_MS} ms or more no part of the program ran: a timer fired that late although its thread was only waiting for it. A disk that does not respond blocks other threads, not that one.`,
      impact:
        'The clock kept running, so the figure is too low, and the longest latency may be the pause. gobonnie was suspended (Ctrl-Z and later fg, kill -STOP), its container was paused (docker pause) or its VM was, or the machine was so busy that gobonnie got no CPU time.',
      remedy: 'Measure again without interrupting it.',
      examples: [
        { command: 'gobonnie --dir /mnt/disk --size 1 --runs 5', comment: 'measure again' },
        {
          command: 'jq ".runs[].measurements[].suspendedSeconds" report.json',
          comment: 'from a report of --out report.json',
        },
      ],
    },
    'device-contention': {
      title: 'other programs used the same device',
      cause: `While a phase ran, the device moved data that gobonnie had not asked for: more than ${formatPercent(OTHER_IO_SHARE)} of what the phase itself moved, and more than ${OTHER_IO_BYTES_PER_SECOND / MB} MB/s. Phases shorter than ${MIN_PHASE_SECONDS} s are not checked.`,
      impact:
        'The disk was shared, so the rate is lower, and the latency higher, than the disk alone would show.',
      remedy:
        'Stop what else uses the device (a backup, a database, an update, another VM) and measure again. If it is never quiet, measure several times and look at the confidence interval.',
      examples: [
        { command: 'sudo iotop -o', comment: 'who uses the device' },
        {
          command: 'gobonnie --dir /mnt/disk --size 1 --until-stable 5',
          comment: 'until known to 5 %, at most 30 GiB',
        },
      ],
    },
    'cpu-steal': {
      title: 'the hypervisor gave CPU time to other machines',
      cause: `This is a virtual machine, and ${formatPercent(STEAL_SHARE)} or more of its CPU time went to others while a phase ran (steal time). Phases shorter than ${MIN_PHASE_SECONDS} s are not checked.`,
      impact:
        "Without CPU time gobonnie sends no requests, so the rate is lower, and the latency higher, than the disk's own.",
      remedy:
        'Measure again when the host is quieter, and several times, so that the spread shows how much it matters.',
      examples: [
        {
          command: 'gobonnie --dir /mnt/disk --size 1 --runs 5',
          comment: 'with mean and interval in the report',
        },
        {
          command: 'gobonnie --dir /mnt/disk --size 1 --until-stable 5',
          comment: 'until known to 5 %, at most 30 GiB',
        },
      ],
    },
    'cpu-saturated': {
      title: 'all CPUs were busy',
      cause: `All CPUs of the machine together were busy for ${formatPercent(BUSY_SHARE)} of the phase or more. Phases shorter than ${MIN_PHASE_SECONDS} s are not checked.`,
      impact:
        'The figure may show how fast the CPUs can send requests, not how fast the disk can serve them: the disk may be faster. It happens with small operations on a fast disk, with encryption or compression in the filesystem, and on a machine that is busy with something else.',
      remedy:
        'Move more with each operation, with a larger --block-size (write, read) or --io-size (IOPS), or stop other programs. With -v a line for each phase says how much CPU time gobonnie itself used.',
      examples: [
        {
          command: 'gobonnie --dir /mnt/disk --size 4 --block-size 1m --io-size 4k',
          comment: 'fewer, larger operations',
        },
        {
          command: 'gobonnie --dir /mnt/disk --size 4 --direct -v',
          comment: 'no copies through the page cache',
        },
      ],
    },
  };
