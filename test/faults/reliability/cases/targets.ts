import type { FaultCase, FaultGroup } from '../fault-case.js';

function notADirectory(fault: string, name: string, setup: string): FaultCase {
  return {
    fault,
    setup,
    command: `gobonnie --dir $DIR/${name} --size 0.01`,
    guarantees: [1, 2, 6, 7],
    exitCode: 2,
    expectedOutput: [],
    expectedMessage: new RegExp(`--dir \\S+/${name} is not a directory; pass the path of a directory`),
  };
}

export const targets: FaultGroup = {
  title: 'Not a directory',
  cases: [
    notADirectory('a FIFO without a reader', 'fifo', 'mkfifo $DIR/fifo'),
    notADirectory('a device', 'device', 'mknod $DIR/device c 1 3'),
    notADirectory('a file', 'file', 'echo mine > $DIR/file'),
    notADirectory('a dangling link', 'link', 'ln -s nowhere $DIR/link'),
  ],
};
