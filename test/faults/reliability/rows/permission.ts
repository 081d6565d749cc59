import { DATA, MOMENTS } from '../moment.js';
import type { Family, Row } from '../row.js';
import { EXT4 } from './filesystems.js';

const ALL = ['Sequential Write', 'Sequential Read', 'IOPS'];
const NOT_REMOVED =
  /gobonnie-\w+ could not be removed: operation not permitted \(EPERM\); once that is fixed, remove it by hand/;

/** A run that is measured to the end, after which its files cannot be removed. */
const STAYS = {
  promises: [1, 2, 6],
  exitCode: 1,
  told: ALL,
  says: NOT_REMOVED,
} as const satisfies Partial<Row>;
const SHORT = `gobonnie --dir $DIR ${DATA} --iops-duration 2`;

export const permission: Family = {
  title: 'Permissions',
  rows: [
    {
      fault: 'the user is not root',
      given: 'chmod 777 $DIR',
      command: '$NOBODY gobonnie --dir $DIR --size 0.01 --threads 1 --iops-duration 0.1',
      promises: [1, 2, 4],
      exitCode: 0,
      told: ALL,
    },
    {
      fault: 'an option that needs root, used by another user',
      given: 'chmod 777 $DIR',
      command: '$NOBODY gobonnie --dir $DIR --size 0.01 --cache drop',
      promises: [1, 2, 6, 8],
      exitCode: 2,
      told: [],
      says: /--cache drop needs root; pass --cache auto/,
    },
    {
      fault: 'a directory in which the user may not write',
      command: '$NOBODY gobonnie --dir $DIR --size 0.01',
      promises: [1, 2, 6, 8],
      exitCode: 2,
      told: [],
      says: /cannot be written to: permission denied \(EACCES\); pass a directory that you may write to/,
    },
    {
      fault: 'the write permission is taken away during the run',
      given: 'chmod 777 $DIR',
      command: `$NOBODY ${SHORT}`,
      strike: { at: MOMENTS.iops, by: 'chmod 755 $DIR' },
      ...STAYS,
      says: /gobonnie-\w+ could not be removed: permission denied \(EACCES\); once that is fixed, remove it by hand/,
    },
    {
      fault: 'a read-only mount',
      given: `
mount -t tmpfs -o size=64m none $DIR
echo mine > $DIR/mine
mount -o remount,ro $DIR`,
      command: 'gobonnie --dir $DIR --size 0.01',
      promises: [1, 2, 6],
      exitCode: 2,
      told: [],
      says: /cannot be written to: read-only file system \(EROFS\); the filesystem is read-only/,
    },
    {
      fault: 'an immutable directory',
      given: `${EXT4}
echo mine > $DIR/mine
chattr +i $DIR`,
      command: 'gobonnie --dir $DIR --size 0.01',
      promises: [1, 2, 6],
      exitCode: 2,
      told: [],
      says: /cannot be written to: operation not permitted \(EPERM\); pass a directory that you may write to/,
    },
    {
      fault: 'a directory that becomes immutable during the run',
      given: EXT4,
      command: SHORT,
      strike: { at: MOMENTS.iops, by: 'chattr +i $DIR' },
      ...STAYS,
    },
    {
      fault: 'an append-only directory: files can be created in it, but not removed',
      given: `${EXT4}
echo mine > $DIR/mine
chattr +a $DIR`,
      command: SHORT,
      ...STAYS,
    },
    {
      fault: 'a file that becomes immutable during the run',
      given: EXT4,
      command: `gobonnie --dir $DIR ${DATA} --iops-duration 60`,
      strike: { at: MOMENTS.iops, by: 'chattr +i $DIR/gobonnie-*/bonnie.0' },
      ...STAYS,
      promises: [1, 2, 4, 6],
      told: ['Sequential Write', 'Sequential Read'],
      says: /iops failed in .*: operation not permitted \(EPERM\); and .* could not be removed: .*; once that is fixed, remove it by hand/,
    },
  ],
};
