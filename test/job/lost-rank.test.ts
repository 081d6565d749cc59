import { readdirSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { joinRendezvous } from '../../src/communicator/join-rendezvous.js';
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
    await rank.barrier('', NEVER);
  }
}

// The second step starts the workers, which kept rank 0 alive; the seventh step measures.
test.concurrent.each([3, 4, 5, 18, 19, 20])(
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
