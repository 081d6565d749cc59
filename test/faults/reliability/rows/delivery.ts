import { DATA } from '../moment.js';
import type { Family } from '../row.js';

const COMMAND = `gobonnie --dir $DIR ${DATA} --iops-duration 0.1`;

export const delivery: Family = {
  title: 'Results cannot be written',
  rows: [
    {
      fault: 'stdout is on a full disk',
      command: `${COMMAND} --json > /dev/full`,
      promises: [1, 2, 6],
      exitCode: 1,
      told: [],
      says: /could not write to stdout: no space left on device \(ENOSPC\); /,
    },
    {
      fault: 'the reader of the pipe has gone',
      given: 'mkfifo $WORK/pipe',
      command: `head -c 1 $WORK/pipe > /dev/null &\n${COMMAND} --runs 100 > $WORK/pipe`,
      promises: [1, 2],
      exitCode: 141,
      told: [],
    },
    {
      fault: '--out is on a full disk',
      given: 'mkdir $WORK/full\nmount -t tmpfs -o size=4k none $WORK/full',
      command: `${COMMAND} --out $WORK/full/report.json`,
      promises: [1, 2, 6],
      exitCode: 1,
      told: ['Sequential Write', 'Sequential Read', 'IOPS'],
      says: /--out \S+ could not be written: no space left on device \(ENOSPC\); free some space there/,
    },
  ],
};
