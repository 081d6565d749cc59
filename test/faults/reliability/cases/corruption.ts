import type { FaultGroup } from '../fault-case.js';
import { DATA, INJECTION_POINTS } from '../injection-point.js';
import { EXT4 } from './filesystems.js';

const COMMAND = `gobonnie --dir $DIR ${DATA} --seed 1`;
/** In block 127, counted from 0: gobonnie compares every 127th block. */
const OFFSET = 8_323_149;
const BLOCK = Math.floor(OFFSET / 4096);
const MISMATCH = new RegExp(
  `read failed in .*/bonnie\\.0 at offset ${OFFSET}: data mismatch: the data read back differs from what was written; .*do not trust this disk`,
);

export const corruption: FaultGroup = {
  title: 'Corruption',
  cases: [
    {
      fault: 'another program changes a byte of the file',
      command: COMMAND,
      trigger: {
        at: INJECTION_POINTS.read,
        script: `printf x | dd of=$(echo $DIR/gobonnie-*/bonnie.0) bs=1 seek=${OFFSET} conv=notrunc`,
      },
      guarantees: [1, 2, 4, 6],
      exitCode: 1,
      expectedOutput: ['Sequential Write'],
      expectedMessage: MISMATCH,
    },
    {
      fault: 'a byte changes on the disk, below the filesystem',
      setup: EXT4,
      command: COMMAND,
      trigger: {
        at: INJECTION_POINTS.read,
        script: `
block=$(filefrag -v $DIR/gobonnie-*/bonnie.0 | awk '$1 ~ /^[0-9]+:$/ && $2+0 <= ${BLOCK} && ${BLOCK} <= $3+0 { print $4 - $2 + ${BLOCK} }')
printf x | dd of=$WORK/image bs=1 seek=$((block * 4096 + ${OFFSET - BLOCK * 4096})) conv=notrunc`,
      },
      guarantees: [1, 2, 4, 6],
      exitCode: 1,
      expectedOutput: ['Sequential Write'],
      expectedMessage: MISMATCH,
    },
  ],
};
