import type { FaultGroup } from '../fault-case.js';
import { DATA } from '../injection-point.js';

const COMMAND = `gobonnie --dir $DIR ${DATA} --iops-duration 0.1`;

export const delivery: FaultGroup = {
  title: 'Results cannot be written',
  cases: [
    {
      fault: 'stdout is on a full disk',
      command: `${COMMAND} --json > /dev/full`,
      guarantees: [1, 2, 6],
      exitCode: 1,
      expectedOutput: [],
      expectedMessage: /could not write to stdout: no space left on device \(ENOSPC\); /,
    },
    {
      fault: 'the reader of the pipe exits',
      setup: 'mkfifo $WORK/pipe',
      command: `head -c 1 $WORK/pipe > /dev/null &\n${COMMAND} --runs 100 > $WORK/pipe`,
      guarantees: [1, 2],
      exitCode: 141,
      expectedOutput: [],
    },
    {
      fault: '--out is on a full disk',
      setup: 'mkdir $WORK/full\nmount -t tmpfs -o size=4k none $WORK/full',
      command: `${COMMAND} --out $WORK/full/report.json`,
      guarantees: [1, 2, 6],
      exitCode: 1,
      expectedOutput: ['Sequential Write', 'Sequential Read', 'IOPS'],
      expectedMessage:
        /--out \S+ could not be written: no space left on device \(ENOSPC\); free some space there/,
    },
  ],
};
