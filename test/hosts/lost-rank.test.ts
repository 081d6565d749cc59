import { readdirSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { makeDirectory } from '../support/disks/directory.js';
import { startGobonnie } from '../support/programs/program.js';

const SMALL = ['--size', '0.01', '--threads', '1', '--iops-duration', '0.1', '--cache', 'keep'];

// Barrier 4 follows the agreement, when the workers have started; barrier 10 is the gate of the first phase.
test.each([1, 4, 10])(
  'after rank 2 is killed at barrier %i, the other ranks exit without a system error and leave no files',
  async (barrier) => {
    const directory = makeDirectory();
    const flags = ['--rendezvous', directory, '--ranks', '3', '--barrier-timeout', '3'];
    const ranks = ['0', '1', '2'].map((rank) =>
      startGobonnie(['--dir', directory, ...SMALL, ...flags, '--rank', rank]),
    );
    try {
      await vi.waitUntil(
        () => listFiles(directory).some((file) => file.endsWith(`/barrier.${barrier}`)),
        60_000,
      );
      ranks[2]?.child.kill('SIGKILL');
      for (const { exitResult } of ranks.slice(0, 2)) {
        const { stderr, exitCode } = await exitResult;
        expect(stderr.match(/^gobonnie: .*$/gm)).toEqual([
          expect.stringMatching(/: (timed out after 3 s waiting for|another process has removed) /),
        ]);
        expect(exitCode).toBe(1);
      }
      await vi.waitUntil(() => readdirSync(directory).length === 0, 10_000);
    } finally {
      for (const { child } of ranks) child.kill('SIGKILL');
    }
  },
);

/** Empty while another process removes a directory. */
function listFiles(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { recursive: true, encoding: 'utf8' });
  } catch {
    return [];
  }
}
