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

/** The explanations of all warnings about a measurement. */
export const measurementWarningExplanations: Readonly<Record<keyof typeof measurementWarnings, Explanation>> =
  {
    'served-from-cache': {
      title: 'the page cache served part of the reads',
      cause: `The kernel's counters show that less than ${formatPercent(SERVED_SHARE)} of the data that the phase read came from the device (for random reads, of the pages they touched). The rest came from the page cache in RAM.`,
      impact:
        'The result mixes the speeds of RAM and disk. RAM is so much faster that even a few cached reads make a slow disk look good. Random reads on little data cause this on their own, because a second read of the same page is served from cache. Small files cause it because they were created just before.',
      remedy: `Pass --direct (Linux and Windows) to bypass the page cache, or use more data than fits in RAM (the default is ${defaultSizeMultiple} the RAM). By default, --cache auto empties the cache before reads as well as it can; this works best as root. If you get the warning with --direct, the filesystem accepts the flag but still buffers: use another filesystem. For small files, use more or larger files.`,
      examples: [
        { command: 'gobonnie --dir /mnt/disk --size 4 --direct', comment: 'bypass the page cache' },
        { command: 'sudo gobonnie --dir /mnt/disk --size 4', comment: 'as root, drop the whole page cache' },
        { command: 'gobonnie --dir /mnt/disk --size 64', comment: 'write 64 GiB, more than fits in RAM' },
      ],
    },
    'device-share-unknown': {
      title: 'reads or writes may have been cached, but no counter shows it',
      cause: `No counter shows how much the device served. Linux has counters for local filesystems, but not for network filesystems, FUSE, ZFS, loop devices without direct I/O, or containers that hide them. macOS and Windows have none. Names of new files are certain to be on the device only after a sync, which Windows lacks for names. The data could fit in RAM: it was less than ${defaultSizeMultiple} the RAM, and gobonnie neither read it directly from a local disk nor synced it.`,
      impact:
        'Reads of recently written data may have come from RAM, and new files may still be only in RAM. The disk may be slower than the result by any factor.',
      remedy: `Use more data than fits in RAM (the default is ${defaultSizeMultiple} the RAM), or --direct on a local disk (Linux and Windows). For small files, pass --fsync-per-write; for files without data, --fsync. On Linux, losetup turns on direct I/O for a loop device; if that fails, attach the file again with --sector-size 4096. --expect, --baseline, compare and ab do not evaluate this result unless you pass --allow-cached.`,
      examples: [
        { command: 'gobonnie --dir /mnt/share --size 64', comment: 'write 64 GiB, more than fits in RAM' },
        {
          command: 'sudo losetup --direct-io=on /dev/loop0',
          comment: 'stop the loop device from caching its file',
        },
      ],
    },
    'near-memory-speed': {
      title: 'the reads were about as fast as RAM, so they were probably cached',
      cause: `After the first run, gobonnie measures the memory ceiling: the rate of reading cached data with the same loops, block size and threads. The result reached ${formatPercent(MEMORY_CEILING_SHARE)} of this ceiling or more, and the kernel has no counters for this filesystem (Linux has counters for local filesystems, but not for network filesystems, FUSE or ZFS; other systems have none).`,
      impact:
        "The data almost certainly came from the page cache of this machine or of a server. The result shows the cache's speed, and the disk may be slower by any factor.",
      remedy: `Use more data than fits in RAM (the default is ${defaultSizeMultiple} the RAM), or --direct on a local disk (Linux and Windows). The report has the ceiling (memoryCeiling), and -v prints it.`,
      examples: [
        { command: 'gobonnie --dir /mnt/share --size 64', comment: 'write 64 GiB, more than fits in RAM' },
        { command: 'jq .memoryCeiling report.json', comment: 'the ceiling in a report of --out report.json' },
      ],
    },
    'still-dirty': {
      title: 'most of the written data was still in the page cache when the clock stopped',
      cause: `Less than ${formatPercent(REACHED_SHARE)} of the data that the phase wrote had reached the device when the clock stopped. The kernel held the rest in RAM, to write it later. If no counter shows this, the warning appears when syncing the rest took clearly longer. It also appears when the sync doubled the time, because the counter covers the whole host and can be too optimistic.`,
      impact:
        'The result shows how fast RAM accepts data. Programs see that rate for a while, but the disk cannot sustain it. If gobonnie synced the data afterwards, the warning and the report (durable) show the rate with the sync included.',
      remedy:
        'Pass --fsync to include the sync in the time, --direct (Linux and Windows) to bypass the page cache, or a larger --size, of which RAM can hold only a small part. For putc, which is always buffered, use --fsync; for small files, use --fsync-per-write.',
      examples: [
        { command: 'gobonnie --dir /mnt/disk --size 4 --fsync', comment: 'measure the durable rate' },
        { command: 'gobonnie --dir /mnt/disk --size 4 --direct', comment: 'bypass the page cache' },
      ],
    },
    cliff: {
      title: 'the rate fell during the phase and did not recover',
      cause: `The rate was steady, then fell to ${formatPercent(CLIFF_SHARE)} of that or less and remained steady to the end. The warning shows both rates and the time of the drop.`,
      impact:
        'The result averages both rates and describes neither. At the drop, something fast ran out: the cache of an SSD or a controller, the RAM for unwritten data, or the burst credits of a cloud volume.',
      remedy:
        'Decide which of the two rates matters to you. A larger --size (for IOPS, a longer --iops-duration) shows the sustained rate, because the fast part then hardly counts. A --size that ends before the drop shows the burst rate. The report has the rate over time (series).',
      examples: [
        { command: 'gobonnie --dir /mnt/disk --size 200 --out report.json', comment: 'write 200 GiB' },
        {
          command: 'jq ".runs[].measurements[] | {phase, cliff}" report.json',
          comment: 'both rates of each phase',
        },
      ],
    },
    'stonewall-uneven': {
      title: 'some threads did not catch up after --stonewall',
      cause:
        'From --stonewall on, threads only catch up with the fastest thread. gobonnie stopped the threads that were still behind at twice that time.',
      impact:
        'Some threads, or some hosts of a job, are much slower than others. The result covers all threads until the slowest one stopped. Each later phase uses only as much data as the slowest thread wrote.',
      remedy:
        'Find the slow threads: -v shows each rank of a job. If all threads are slow with their first blocks or files, pass a larger --stonewall.',
      examples: [
        { command: 'gobonnie --dir /mnt/disk --size 4 --stonewall 60 -v', comment: 'allow more time' },
        {
          command: 'jq ".runs[].measurements[] | {phase, stonewall}" report.json',
          comment: 'the details of each phase',
        },
      ],
    },
    suspended: {
      title: 'gobonnie was suspended during the phase',
      cause: `No part of the program ran for ${MIN_SUSPENDED_MS} ms or more: a timer fired that late on a thread that does nothing but wait for it. A disk that does not respond blocks other threads, but not that thread.`,
      impact:
        'The clock kept running, so the result is too low, and the longest latency may be the pause. Someone suspended gobonnie (Ctrl-Z and later fg, kill -STOP) or paused its container (docker pause) or VM, or the machine was so busy that gobonnie got no CPU time.',
      remedy: 'Run it again without suspending it.',
      examples: [
        { command: 'gobonnie --dir /mnt/disk --size 1 --runs 5', comment: 'run it again' },
        {
          command: 'jq ".runs[].measurements[].suspendedSeconds" report.json',
          comment: 'length of each pause',
        },
      ],
    },
    'device-contention': {
      title: 'other programs used this device',
      cause: `While the phase ran, the device moved data for other programs: more than ${formatPercent(OTHER_IO_SHARE)} of the data that the phase moved, and more than ${OTHER_IO_BYTES_PER_SECOND / MB} MB/s. gobonnie does not check phases shorter than ${MIN_PHASE_SECONDS} s.`,
      impact: 'On its own, the disk would have shown a higher rate and a lower latency.',
      remedy:
        'Stop the other programs (a backup, a database, an update, another VM) and run again. If the device is never idle, use several runs and look at the confidence interval.',
      examples: [
        { command: 'sudo iotop -o', comment: 'show which programs use the disk' },
        {
          command: 'gobonnie --dir /mnt/disk --size 1 --until-stable 5',
          comment: 'repeat until within 5 %, at most 30 GiB',
        },
      ],
    },
    'cpu-steal': {
      title: 'the hypervisor gave CPU time to other VMs',
      cause: `This is a virtual machine, and the hypervisor gave ${formatPercent(STEAL_SHARE)} or more of its CPU time to other VMs during the phase (steal time). gobonnie does not check phases shorter than ${MIN_PHASE_SECONDS} s.`,
      impact:
        'gobonnie sends no requests without CPU time, so the rate is lower and the latency higher than the disk allows.',
      remedy:
        'Run again when the host is less busy. Use several runs: their spread shows how much it matters.',
      examples: [
        {
          command: 'gobonnie --dir /mnt/disk --size 1 --runs 5',
          comment: 'report the mean and its interval',
        },
        {
          command: 'gobonnie --dir /mnt/disk --size 1 --until-stable 5',
          comment: 'repeat until within 5 %, at most 30 GiB',
        },
      ],
    },
    'cpu-saturated': {
      title: 'all CPUs were busy',
      cause: `The CPUs of the machine were ${formatPercent(BUSY_SHARE)} busy or more during the phase. gobonnie does not check phases shorter than ${MIN_PHASE_SECONDS} s.`,
      impact:
        'The CPU may be the bottleneck, not the disk, so the disk may be faster than the result. This happens with small operations on a fast disk, with encryption or compression in the filesystem, and on a machine that is busy with other work.',
      remedy:
        'Use larger operations: --block-size (write, read) or --io-size (IOPS). Or stop other programs. With -v, gobonnie prints its own CPU time for each phase.',
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
