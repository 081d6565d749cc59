import { DATA, MOMENTS } from '../moment.js';
import type { Family } from '../row.js';
import { BTRFS } from './filesystems.js';

export const space: Family = {
  title: 'Space',
  rows: [
    {
      fault: 'less space than --size asks for',
      given: 'mount -t tmpfs -o size=8m none $DIR',
      command: 'gobonnie --dir $DIR --size 0.01',
      promises: [2, 3, 6],
      exitCode: 2,
      told: [],
      says: /--size 0\.01 needs 10\.2 MiB in .*, which has 8 MiB free; pass at most --size [\d.]+ or/,
    },
    {
      fault: 'just enough space for --size, so that none would stay free',
      given: 'mount -t tmpfs -o size=8m none $DIR',
      command: 'gobonnie --dir $DIR --size 0.0076',
      promises: [2, 3, 6],
      exitCode: 2,
      told: [],
      says: /needs 7\.8 MiB in .*, which has 8 MiB free, of which 409\.6 KiB must stay free; pass at most --size /,
    },
    {
      fault: 'less space than the default size needs',
      given: 'mount -t tmpfs -o size=32m none $DIR',
      command: 'gobonnie --dir $DIR --threads 1 --iops-duration 0.1',
      strike: { at: MOMENTS.read, by: 'df $DIR' },
      promises: [1, 2, 3],
      exitCode: 0,
      told: ['Sequential Write', 'Sequential Read', 'IOPS'],
      says: /does not fit in .*: measuring with 30\.4 MiB/,
    },
    {
      fault: 'another program fills the disk',
      given: 'mount -t tmpfs -o size=64m none $DIR',
      command: `gobonnie --dir $DIR ${DATA}`,
      strike: { at: MOMENTS.write, by: 'dd if=/dev/zero of=$DIR/other bs=64k || :' },
      promises: [1, 2, 3, 4, 6],
      exitCode: 1,
      told: [],
      says: /write failed in .* at offset \d+: no space left on device \(ENOSPC\); free some space/,
    },
    {
      fault: 'another program fills a copy-on-write filesystem',
      given: BTRFS,
      command: `gobonnie --dir $DIR ${DATA} --iops-duration 60 --io-size 4k`,
      strike: { at: MOMENTS.iops, by: 'dd if=/dev/zero of=$DIR/other bs=64k || sync' },
      promises: [1, 2, 3, 4, 6],
      exitCode: 1,
      told: ['Sequential Write', 'Sequential Read'],
      says: /iops failed in .* at offset \d+: no space left on device \(ENOSPC\); free some space/,
    },
    {
      fault: 'fewer inodes than threads',
      given: 'mount -t tmpfs -o size=64m,nr_inodes=20 none $DIR',
      command: 'gobonnie --dir $DIR --size 0.01 --threads 32',
      promises: [2, 3, 6],
      exitCode: 2,
      told: [],
      says: /, which has 18 inodes free; pass fewer --files or --threads/,
    },
    {
      fault: 'fewer inodes than small files',
      given: 'mount -t tmpfs -o size=64m,nr_inodes=1000 none $DIR',
      command: 'gobonnie --dir $DIR --phases create,stat,delete --files 2000 --threads 1',
      promises: [2, 3, 6],
      exitCode: 2,
      told: [],
      says: /, which has 998 inodes free; pass fewer --files/,
    },
    {
      fault: 'another program uses up the inodes',
      given: 'mount -t tmpfs -o size=64m,nr_inodes=5000 none $DIR',
      command: 'gobonnie --dir $DIR --phases create,stat,delete --files 2000 --threads 1',
      strike: { at: MOMENTS.create, by: 'touch $(seq -f $DIR/other.%g 6000) || :' },
      promises: [1, 2, 3, 4, 6],
      exitCode: 1,
      told: [],
      says: /create failed in .* \(open\): no space left on device \(ENOSPC\); .*inodes/,
    },
    {
      fault: 'a quota is reached',
      given: `${BTRFS}
btrfs quota enable $DIR
btrfs subvolume create $DIR/limited
btrfs qgroup limit 10M $DIR/limited`,
      command: 'gobonnie --dir $DIR/limited --size 0.05 --threads 1',
      promises: [1, 2, 3, 4, 6],
      exitCode: 1,
      told: [],
      says: /write failed in .* at offset \d+: disk quota exceeded \(EDQUOT\); your quota is used up/,
    },
  ],
};
