import type { Family, Row } from '../row.js';

function target(fault: string, name: string, given: string): Row {
  return {
    fault,
    given,
    command: `gobonnie --dir $DIR/${name} --size 0.01`,
    promises: [1, 2, 6, 7],
    exitCode: 2,
    told: [],
    says: new RegExp(`--dir \\S+/${name} is not a directory; pass the path of a directory`),
  };
}

export const targets: Family = {
  title: 'Not a directory',
  rows: [
    target('a FIFO without a reader', 'fifo', 'mkfifo $DIR/fifo'),
    target('a device', 'device', 'mknod $DIR/device c 1 3'),
    target('a file', 'file', 'echo mine > $DIR/file'),
    target('a dangling link', 'link', 'ln -s nowhere $DIR/link'),
  ],
};
