import type { FaultGroup } from '../fault-case.js';
import { DATA, INJECTION_POINTS } from '../injection-point.js';
import { BTRFS } from './filesystems.js';

export const space: FaultGroup = {
  title: 'Space',
  cases: [
    {
      fault: 'less free space than --size needs',
      setup: 'mount -t tmpfs -o size=8m none $DIR',
      command: 'gobonnie --dir $DIR --size 0.01',
      guarantees: [2, 3, 6],
      exitCode: 2,
      expectedOutput: [],
      expectedMessage:
        /--size 0\.01 needs 10\.2 MiB in .*, which has 8 MiB free; pass at most --size [\d.]+ or/,
    },
    {
      fault: 'just enough space for --size, but none would remain free',
      setup: 'mount -t tmpfs -o size=8m none $DIR',
      command: 'gobonnie --dir $DIR --size 0.0076',
      guarantees: [2, 3, 6],
      exitCode: 2,
      expectedOutput: [],
      expectedMessage:
        /needs 7\.8 MiB in .*, which has 8 MiB free, of which 409\.6 KiB must stay free; pass at most --size /,
    },
    {
      fault: 'less free space than the default size needs',
      setup: 'mount -t tmpfs -o size=32m none $DIR',
      command: 'gobonnie --dir $DIR --threads 1 --iops-duration 0.1',
      trigger: { at: INJECTION_POINTS.read, script: 'df $DIR' },
      guarantees: [1, 2, 3],
      exitCode: 0,
      expectedOutput: ['Sequential Write', 'Sequential Read', 'IOPS'],
      expectedMessage: / has no room for twice the RAM .*; using 30\.4 MiB instead/,
    },
    {
      fault: 'another program fills the disk',
      setup: 'mount -t tmpfs -o size=64m none $DIR',
      command: `gobonnie --dir $DIR ${DATA}`,
      trigger: { at: INJECTION_POINTS.write, script: 'dd if=/dev/zero of=$DIR/other bs=64k || :' },
      guarantees: [1, 2, 3, 4, 6],
      exitCode: 1,
      expectedOutput: [],
      expectedMessage:
        /write failed in .* at offset \d+: no space left on device \(ENOSPC\); free some space/,
    },
    {
      fault: 'another program uses the space that must stay free',
      setup: 'mount -t tmpfs -o size=64m none $DIR',
      command: `gobonnie --dir $DIR ${DATA} --iops-duration 60`,
      trigger: { at: INJECTION_POINTS.iops, script: 'dd if=/dev/zero of=$DIR/other bs=64k count=850' },
      guarantees: [1, 2, 3, 4, 6],
      exitCode: 1,
      expectedOutput: ['Sequential Write', 'Sequential Read'],
      expectedMessage:
        /iops stopped: another process is filling .*, which has [\d.]+ [KM]iB free, but 3\.2 MiB must stay free; free some space/,
    },
    {
      fault: 'another program fills a copy-on-write filesystem',
      setup: BTRFS,
      command: `gobonnie --dir $DIR ${DATA} --iops-duration 60 --io-size 4k`,
      trigger: { at: INJECTION_POINTS.iops, script: 'dd if=/dev/zero of=$DIR/other bs=64k || sync' },
      guarantees: [1, 2, 3, 4, 6],
      exitCode: 1,
      expectedOutput: ['Sequential Write', 'Sequential Read'],
      expectedMessage: /iops failed in .* at offset \d+: no space left on device \(ENOSPC\); free some space/,
    },
    {
      fault: 'fewer inodes than threads',
      setup: 'mount -t tmpfs -o size=64m,nr_inodes=20 none $DIR',
      command: 'gobonnie --dir $DIR --size 0.01 --threads 32',
      guarantees: [2, 3, 6],
      exitCode: 2,
      expectedOutput: [],
      expectedMessage: /, but only 18 are free; pass fewer --files or --threads/,
    },
    {
      fault: 'fewer inodes than small files',
      setup: 'mount -t tmpfs -o size=64m,nr_inodes=1000 none $DIR',
      command: 'gobonnie --dir $DIR --phases create,stat,delete --files 2000 --threads 1',
      guarantees: [2, 3, 6],
      exitCode: 2,
      expectedOutput: [],
      expectedMessage: /, but only 998 are free; pass fewer --files/,
    },
    {
      fault: 'another program uses up the inodes',
      setup: 'mount -t tmpfs -o size=64m,nr_inodes=5000 none $DIR',
      command: 'gobonnie --dir $DIR --phases create,stat,delete --files 2000 --threads 1',
      trigger: { at: INJECTION_POINTS.create, script: 'touch $(seq -f $DIR/other.%g 6000) || :' },
      guarantees: [1, 2, 3, 4, 6],
      exitCode: 1,
      expectedOutput: [],
      expectedMessage: /create failed in .* \(open\): no space left on device \(ENOSPC\); .*inodes/,
    },
    {
      fault: 'a quota is reached',
      setup: `${BTRFS}
btrfs quota enable $DIR
btrfs subvolume create $DIR/limited
btrfs qgroup limit 10M $DIR/limited`,
      command: 'gobonnie --dir $DIR/limited --size 0.05 --threads 1',
      guarantees: [1, 2, 3, 4, 6],
      exitCode: 1,
      expectedOutput: [],
      expectedMessage:
        /write failed in .* at offset \d+: disk quota exceeded \(EDQUOT\); your quota is used up/,
    },
  ],
};
