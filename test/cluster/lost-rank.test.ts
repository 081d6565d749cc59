import { readdirSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { joinRendezvous } from '../../src/cluster/join-rendezvous.js';
import { makeDirectory } from '../support/disks/directory.js';
import { startGobonnie } from '../support/programs/program.js';

const NEVER = new AbortController().signal;
const BARRIERS = ['gate', 'end', 'decision'];
const SMALL = ['--size', '0.01', '--threads', '1', '--iops-duration', '0.1', '--cache', 'keep'];

/** Takes part in a job as rank 1, with the results of rank 0, and goes silent after this number of barriers. */
async function takePart(directory: string, barriers: number): Promise<void> {
  const rank = await joinRendezvous({ directory, size: 2, rank: 1 }, 60, NEVER);
  for (let entered = 0; entered < barriers; entered++) {
    const step = Math.floor(entered / BARRIERS.length) + 1;
    if (BARRIERS[entered % BARRIERS.length] === 'end') {
      const result = await vi.waitUntil(() => rank.get(0, `result.${step}`).catch(() => null), 60_000);
      await rank.put(`result.${step}`, result);
    }
    await rank.barrier(NEVER);
  }
}

// After the first step the workers start, which kept rank 0 alive; the fourth step measures.
test.each([3, 4, 5, 10])(
  'rank 0 exits at --barrier-timeout and leaves no files if the other rank goes silent after %i barriers',
  async (barriers) => {
    const directory = makeDirectory();
    const flags = ['--rendezvous', directory, '--ranks', '2', '--rank', '0', '--barrier-timeout', '1'];
    const { child, exitResult } = startGobonnie(['--dir', directory, ...SMALL, ...flags]);
    try {
      await takePart(directory, barriers);
      const { stderr, exitCode } = await exitResult;
      expect(stderr).toContain('gobonnie: timed out after 1 s waiting for the other ranks');
      expect([exitCode, readdirSync(directory)]).toEqual([1, []]);
    } finally {
      child.kill('SIGKILL');
    }
  },
);

test.each([4, 12])(
  'after rank 2 is killed at barrier %i, the other ranks exit without a system error and leave no files',
  async (barrier) => {
    const directory = makeDirectory();
    const flags = ['--rendezvous', directory, '--ranks', '3', '--barrier-timeout', '5'];
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
          expect.stringMatching(/: (timed out after 5 s waiting for|another process has removed) /),
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
