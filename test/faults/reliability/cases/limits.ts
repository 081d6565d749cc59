import type { FaultGroup } from '../fault-case.js';
import { EXT4 } from './filesystems.js';

const MANY = 'gobonnie --dir $DIR --size 0.01 --threads 64';

function createCgroup(controller: string, file: string, limit: string): string {
  return `
mkdir /sys/fs/cgroup/${controller}/$NAME
echo ${limit} > /sys/fs/cgroup/${controller}/$NAME/${file}`;
}

function runInCgroup(controller: string): string {
  return `echo 0 > /sys/fs/cgroup/${controller}/$NAME/cgroup.procs\n${MANY}`;
}

export const limits: FaultGroup = {
  title: 'Limits',
  cases: [
    {
      fault: 'the open-file limit is too low',
      command: `ulimit -n 40\n${MANY}`,
      guarantees: [1, 2, 4, 6, 8],
      exitCode: 1,
      expectedOutput: [],
      expectedMessage:
        /could not start a worker thread: too many open files \(EMFILE\); .*`ulimit -n`.*fewer --threads/,
    },
    {
      fault: 'the file-size limit is too low',
      command: 'ulimit -f 100\ngobonnie --dir $DIR --size 0.01 --threads 1',
      guarantees: [1, 2, 4, 6, 8],
      exitCode: 1,
      expectedOutput: [],
      expectedMessage: /write failed in .* at offset \d+: file too large \(EFBIG\); .*`ulimit -f`/,
    },
    {
      fault: "the user's process limit is too low",
      setup: 'chmod 777 $DIR',
      command: `prlimit --nproc=48 $NOBODY ${MANY}`,
      guarantees: [1, 2, 4, 6, 8],
      exitCode: 1,
      expectedOutput: [],
      expectedMessage: /could not start a worker thread: .*\(EAGAIN\); .*`ulimit -u`.*fewer --threads/,
    },
    {
      fault: "the container's process limit is too low",
      setup: createCgroup('pids', 'pids.max', '48'),
      command: runInCgroup('pids'),
      guarantees: [1, 2, 4, 6, 8],
      exitCode: 1,
      expectedOutput: [],
      expectedMessage: /could not start a worker thread: .*\(EAGAIN\); .*pids\.max.*fewer --threads/,
    },
    {
      fault: "the container's memory limit is too low for the threads",
      setup: EXT4 + createCgroup('memory', 'memory.limit_in_bytes', '128M'),
      command: runInCgroup('memory'),
      guarantees: [1, 2, 6, 8],
      exitCode: 2,
      expectedOutput: [],
      expectedMessage:
        /64 threads need .* of memory, but at most 128 MiB is available; pass at most --threads \d+/,
    },
  ],
};
