import { DATA, MOMENTS } from '../moment.js';
import type { Family } from '../row.js';
import { EXT4, FUSE, MOUNT_ANEW } from './filesystems.js';

const FUSE_ENDED =
  /socket is not connected \(ENOTCONN\).*; the process that serves this filesystem \(FUSE\) has ended/;

export const mounts: Family = {
  title: 'Mounts',
  rows: [
    {
      fault: 'the process behind a FUSE filesystem is killed',
      given: FUSE,
      command: `gobonnie --dir $DIR ${DATA} --iops-duration 60`,
      strike: {
        at: MOMENTS.iops,
        by: 'kill -9 $(cat $WORK/pid)\nwhile test -e $DIR; do sleep 0.05; done',
      },
      revival: 'umount --lazy $DIR; bindfs $WORK/under $DIR',
      promises: [1, 2, 4, 6, 7],
      exitCode: 1,
      told: ['Sequential Write', 'Sequential Read'],
      says: FUSE_ENDED,
    },
    {
      fault: 'the process behind a FUSE filesystem was killed before the run',
      given: `${FUSE}
kill -9 $(cat $WORK/pid)
while test -e $DIR; do sleep 0.05; done`,
      command: 'gobonnie --dir $DIR --size 0.01',
      revival: 'umount --lazy $DIR',
      promises: [1, 6, 7],
      exitCode: 2,
      told: [],
      says: FUSE_ENDED,
    },
    {
      fault: 'the process behind a FUSE filesystem is stopped for 3 seconds',
      given: FUSE,
      command: `gobonnie --dir $DIR ${DATA} --iops-duration 2 --stall-timeout 1`,
      strike: {
        at: MOMENTS.iops,
        by: 'kill -STOP $(cat $WORK/pid)\n(sleep 3; kill -CONT $(cat $WORK/pid)) &',
      },
      promises: [1, 2, 7],
      exitCode: 0,
      told: ['Sequential Write', 'Sequential Read', 'IOPS'],
      says: /no progress for \d+ s, waiting for iops in .*bonnie\.0 at offset \d+; check/,
    },
    {
      fault: 'the disk is unmounted during the run',
      given: EXT4,
      command: `gobonnie --dir $DIR ${DATA} --iops-duration 2`,
      strike: { at: MOMENTS.iops, by: 'umount --lazy $DIR' },
      revival: MOUNT_ANEW,
      promises: [1, 2, 6],
      exitCode: 1,
      told: ['Sequential Write', 'Sequential Read', 'IOPS'],
      says: /gobonnie-\w+ could not be removed: no such file or directory \(ENOENT\); /,
    },
  ],
};
