import type { FaultCase, FaultGroup } from '../fault-case.js';
import { DATA, INJECTION_POINTS } from '../injection-point.js';
import { EXT4 } from './filesystems.js';

const ALL = ['Sequential Write', 'Sequential Read', 'IOPS'];
const NOT_REMOVED =
  /gobonnie-\w+ could not be removed: operation not permitted \(EPERM\); once that is fixed, remove it by hand/;

/** A run that completes but cannot remove its files. */
const FILES_REMAIN = {
  guarantees: [1, 2, 6],
  exitCode: 1,
  expectedOutput: ALL,
  expectedMessage: NOT_REMOVED,
} as const satisfies Partial<FaultCase>;
const SHORT = `gobonnie --dir $DIR ${DATA} --iops-duration 2`;

export const permission: FaultGroup = {
  title: 'Permissions',
  cases: [
    {
      fault: 'the user is not root',
      setup: 'chmod 777 $DIR',
      command: '$NOBODY gobonnie --dir $DIR --size 0.01 --threads 1 --iops-duration 0.1',
      guarantees: [1, 2, 4],
      exitCode: 0,
      expectedOutput: ALL,
    },
    {
      fault: 'a user other than root passes an option that needs root',
      setup: 'chmod 777 $DIR',
      command: '$NOBODY gobonnie --dir $DIR --size 0.01 --cache drop',
      guarantees: [1, 2, 6, 8],
      exitCode: 2,
      expectedOutput: [],
      expectedMessage: /--cache drop needs root; pass --cache auto/,
    },
    {
      fault: 'a directory that the user may not write to',
      command: '$NOBODY gobonnie --dir $DIR --size 0.01',
      guarantees: [1, 2, 6, 8],
      exitCode: 2,
      expectedOutput: [],
      expectedMessage:
        /cannot be written to: permission denied \(EACCES\); pass a directory that you may write to/,
    },
    {
      fault: 'the write permission is revoked during the run',
      setup: 'chmod 777 $DIR',
      command: `$NOBODY ${SHORT}`,
      trigger: { at: INJECTION_POINTS.iops, script: 'chmod 755 $DIR' },
      ...FILES_REMAIN,
      expectedMessage:
        /gobonnie-\w+ could not be removed: permission denied \(EACCES\); once that is fixed, remove it by hand/,
    },
    {
      fault: 'a read-only mount',
      setup: `
mount -t tmpfs -o size=64m none $DIR
echo mine > $DIR/mine
mount -o remount,ro $DIR`,
      command: 'gobonnie --dir $DIR --size 0.01',
      guarantees: [1, 2, 6],
      exitCode: 2,
      expectedOutput: [],
      expectedMessage: /cannot be written to: read-only file system \(EROFS\); the filesystem is read-only/,
    },
    {
      fault: 'an immutable directory',
      setup: `${EXT4}
echo mine > $DIR/mine
chattr +i $DIR`,
      command: 'gobonnie --dir $DIR --size 0.01',
      guarantees: [1, 2, 6],
      exitCode: 2,
      expectedOutput: [],
      expectedMessage:
        /cannot be written to: operation not permitted \(EPERM\); pass a directory that you may write to/,
    },
    {
      fault: 'a directory that becomes immutable during the run',
      setup: EXT4,
      command: SHORT,
      trigger: { at: INJECTION_POINTS.iops, script: 'chattr +i $DIR' },
      ...FILES_REMAIN,
    },
    {
      fault: 'an append-only directory: files can be created in it, but not removed',
      setup: `${EXT4}
echo mine > $DIR/mine
chattr +a $DIR`,
      command: SHORT,
      ...FILES_REMAIN,
    },
    {
      fault: 'a file that becomes immutable during the run',
      setup: EXT4,
      command: `gobonnie --dir $DIR ${DATA} --iops-duration 60`,
      trigger: { at: INJECTION_POINTS.iops, script: 'chattr +i $DIR/gobonnie-*/bonnie.0' },
      ...FILES_REMAIN,
      guarantees: [1, 2, 4, 6],
      expectedOutput: ['Sequential Write', 'Sequential Read'],
      expectedMessage:
        /iops failed in .*: operation not permitted \(EPERM\); and .* could not be removed: .*; once that is fixed, remove it by hand/,
    },
  ],
};
