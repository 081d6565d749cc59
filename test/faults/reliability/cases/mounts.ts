import type { FaultGroup } from '../fault-case.js';
import { DATA, INJECTION_POINTS } from '../injection-point.js';
import { EXT4, FUSE, REMOUNT } from './filesystems.js';

const FUSE_ENDED =
  /socket is not connected \(ENOTCONN\).*; the process that serves this filesystem \(FUSE\) has ended/;

export const mounts: FaultGroup = {
  title: 'Mounts',
  cases: [
    {
      fault: 'a FUSE server is killed',
      setup: FUSE,
      command: `gobonnie --dir $DIR ${DATA} --iops-duration 60`,
      trigger: {
        at: INJECTION_POINTS.iops,
        script: 'kill -9 $(cat $WORK/pid)\nwhile test -e $DIR; do sleep 0.05; done',
      },
      restore: 'umount --lazy $DIR; bindfs $WORK/under $DIR',
      guarantees: [1, 2, 4, 6, 7],
      exitCode: 1,
      expectedOutput: ['Sequential Write', 'Sequential Read'],
      expectedMessage: FUSE_ENDED,
    },
    {
      fault: 'a FUSE server was killed before the run',
      setup: `${FUSE}
kill -9 $(cat $WORK/pid)
while test -e $DIR; do sleep 0.05; done`,
      command: 'gobonnie --dir $DIR --size 0.01',
      restore: 'umount --lazy $DIR',
      guarantees: [1, 6, 7],
      exitCode: 2,
      expectedOutput: [],
      expectedMessage: FUSE_ENDED,
    },
    {
      fault: 'a FUSE server is stopped for 3 seconds',
      setup: FUSE,
      command: `gobonnie --dir $DIR ${DATA} --iops-duration 2 --stall-timeout 1`,
      trigger: {
        at: INJECTION_POINTS.iops,
        script: 'kill -STOP $(cat $WORK/pid)\n(sleep 3; kill -CONT $(cat $WORK/pid)) &',
      },
      guarantees: [1, 2, 7],
      exitCode: 0,
      expectedOutput: ['Sequential Write', 'Sequential Read', 'IOPS'],
      expectedMessage: /no progress for \d+ s, waiting for iops in .*bonnie\.0 at offset \d+; check/,
    },
    {
      fault: 'the disk is unmounted during the run',
      setup: EXT4,
      command: `gobonnie --dir $DIR ${DATA} --iops-duration 2`,
      trigger: { at: INJECTION_POINTS.iops, script: 'umount --lazy $DIR' },
      restore: REMOUNT,
      guarantees: [1, 2],
      exitCode: 0,
      expectedOutput: ['Sequential Write', 'Sequential Read', 'IOPS'],
      expectedMessage:
        /warning: \S+gobonnie-\w+ was moved or unmounted during the run; gobonnie removed it; /,
    },
  ],
};
