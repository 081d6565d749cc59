import type { Family } from '../row.js';
import { EXT4 } from './filesystems.js';

const MANY = 'gobonnie --dir $DIR --size 0.01 --threads 64';

function group(controller: string, file: string, limit: string): string {
  return `
mkdir /sys/fs/cgroup/${controller}/$NAME
echo ${limit} > /sys/fs/cgroup/${controller}/$NAME/${file}`;
}

function within(controller: string): string {
  return `echo 0 > /sys/fs/cgroup/${controller}/$NAME/cgroup.procs\n${MANY}`;
}

export const limits: Family = {
  title: 'Limits',
  rows: [
    {
      fault: 'the limit of open files is too low',
      command: `ulimit -n 40\n${MANY}`,
      promises: [1, 2, 4, 6, 8],
      exitCode: 1,
      told: [],
      says: /could not start a worker thread: too many open files \(EMFILE\); .*`ulimit -n`.*fewer --threads/,
    },
    {
      fault: 'the limit of the file size is too low',
      command: 'ulimit -f 100\ngobonnie --dir $DIR --size 0.01 --threads 1',
      promises: [1, 2, 4, 6, 8],
      exitCode: 1,
      told: [],
      says: /write failed in .* at offset \d+: file too large \(EFBIG\); .*`ulimit -f`/,
    },
    {
      fault: 'the limit of processes of the user is too low',
      given: 'chmod 777 $DIR',
      command: `prlimit --nproc=48 $NOBODY ${MANY}`,
      promises: [1, 2, 4, 6, 8],
      exitCode: 1,
      told: [],
      says: /could not start a worker thread: .*\(EAGAIN\); .*`ulimit -u`.*fewer --threads/,
    },
    {
      fault: 'the limit of processes of the container is too low',
      given: group('pids', 'pids.max', '48'),
      command: within('pids'),
      promises: [1, 2, 4, 6, 8],
      exitCode: 1,
      told: [],
      says: /could not start a worker thread: .*\(EAGAIN\); .*pids\.max.*fewer --threads/,
    },
    {
      fault: 'the container has too little memory for this many threads',
      given: EXT4 + group('memory', 'memory.limit_in_bytes', '128M'),
      command: within('memory'),
      promises: [1, 2, 6, 8],
      exitCode: 2,
      told: [],
      says: /64 threads need .* of memory, but at most 128 MiB is available; pass at most --threads \d+/,
    },
  ],
};
