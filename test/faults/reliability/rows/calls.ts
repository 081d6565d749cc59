import type { Family } from '../row.js';

function injected(call: string, fault: string): string {
  return `strace -f -qq -o /dev/null -e trace=${call} -e inject=${call}:${fault} gobonnie --dir $DIR --size 0.01`;
}

/** Errors that no filesystem here returns by itself: strace makes the kernel return them. */
export const calls: Family = {
  title: 'Injected with strace',
  rows: [
    {
      fault: 'several threads fail at once',
      command: `${injected('pwrite64', 'error=EIO:delay_enter=3000000:when=1')} --threads 3`,
      promises: [1, 2, 4, 6],
      exitCode: 1,
      told: [],
      says: /write failed in .* at offset 0: i\/o error \(EIO\) \(and 2 more threads failed\); /,
    },
    {
      fault: 'the NFS server no longer knows the file',
      command: `${injected('pread64', 'error=ESTALE:when=20')} --threads 1`,
      promises: [1, 2, 4, 6],
      exitCode: 1,
      told: ['Sequential Write'],
      says: /read failed in .* at offset \d+: stale file handle \(ESTALE\); the file server no longer knows/,
    },
  ],
};
