import type { FaultGroup } from '../fault-case.js';

function injectFault(call: string, fault: string): string {
  return `strace -f -qq -o /dev/null -e trace=${call} -e inject=${call}:${fault} gobonnie --dir $DIR --size 0.01`;
}

/** Errors that no filesystem here returns on its own, so strace injects them. */
export const calls: FaultGroup = {
  title: 'Injected with strace',
  cases: [
    {
      fault: 'several threads fail at once',
      command: `${injectFault('pwrite64', 'error=EIO:delay_enter=3000000:when=1')} --threads 3`,
      guarantees: [1, 2, 4, 6],
      exitCode: 1,
      expectedOutput: [],
      expectedMessage: /write failed in .* at offset 0: i\/o error \(EIO\) \(and 2 more threads failed\); /,
    },
    {
      fault: 'the NFS file handle becomes stale',
      command: `${injectFault('pread64', 'error=ESTALE:when=20')} --threads 1`,
      guarantees: [1, 2, 4, 6],
      exitCode: 1,
      expectedOutput: ['Sequential Write'],
      expectedMessage:
        /read failed in .* at offset \d+: stale file handle \(ESTALE\); the file server no longer has/,
    },
  ],
};
