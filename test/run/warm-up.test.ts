import { readFileSync } from 'node:fs';
import os from 'node:os';
import { type RunEvent, run } from 'gobonnie';
import { expect } from 'vitest';
import { makeDirectory } from '../support/disks/directory.js';
import { testOnLinux } from '../support/linux.js';

const BLOCK_BYTES = 4096;
const DATA_BYTES = 8 * 2 ** 20;

/** Returns how many bytes this process has written. */
function writtenBytes(): number {
  return Number(/wchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
}

/** Returns how many blocks this process wrote in addition to its data and to the random writes of a step. */
async function countOtherBlocks(
  step: { seconds: number; syncPerWrite?: 'fsync'; direct?: true },
  dir = makeDirectory(),
): Promise<number> {
  const before = writtenBytes();
  const steps = [{ phase: 'random', ioSize: BLOCK_BYTES, threads: 2, mix: 0, ...step }] as const;
  const { runs, outcome } = await run({ dir, size: '8M', steps, cache: 'keep' });
  expect(outcome).toEqual({ state: 'completed' });
  const operations = runs[0]?.measurements[0]?.operations ?? 0;
  return (writtenBytes() - before - DATA_BYTES) / BLOCK_BYTES - operations;
}

// A pass has 8,000 operations, but ends after half a second on a busy machine.
testOnLinux.each([
  ['thousands of times, which are not in the result', { seconds: 0.55 }, 2000, 40_500],
  ['not if the step is shorter than 0.55 s', { seconds: 0.54 }, 0, 500],
  ['not if every write waits for the disk', { seconds: 1, syncPerWrite: 'fsync' }, 0, 500],
] as const)('before a random step, its threads repeat its operation %s', async (_, step, min, max) => {
  const blocks = await countOtherBlocks(step);
  expect(blocks).toBeGreaterThanOrEqual(min);
  expect(blocks).toBeLessThan(max);
});

testOnLinux('a short direct step is performed for a moment before, which is not in its result', async () => {
  const directory = makeDirectory(os.tmpdir());
  expect(await countOtherBlocks({ seconds: 0.3, direct: true }, directory)).toBeGreaterThan(10);
});

testOnLinux.each([
  ['thousands of times, which are not in the result', '20M', 16_000, 81_000],
  ['not if the phase has fewer operations', '19M', 0, 1000],
])('before a sequential phase, its threads repeat its first block %s', async (_, size, min, max) => {
  const before = writtenBytes();
  const blockSize = 512;
  // The phase checks everything that it reads, so a block in the wrong place would end the run.
  const options = { dir: makeDirectory(), size, blockSize, threads: 2, cache: 'keep', verify: true } as const;
  const { runs, outcome } = await run({ ...options, phases: ['write', 'rewrite', 'read'] });
  expect(outcome).toEqual({ state: 'completed' });
  const measured = runs[0]?.measurements.reduce((total, step) => total + step.writtenBytes, 0) ?? 0;
  const blocks = (writtenBytes() - before - measured) / blockSize;
  expect(blocks).toBeGreaterThanOrEqual(min);
  expect(blocks).toBeLessThan(max);
});

testOnLinux('a pause follows the warm-up, so the disk is idle between it and the measurement', async () => {
  const activities: string[] = [];
  const steps = [{ phase: 'random', ioSize: BLOCK_BYTES, threads: 1, seconds: 0.6, pause: 0.1 }] as const;
  const onEvent = (event: RunEvent) => {
    if (event.type === 'step-start') activities.length = 0;
    if (event.type === 'activity') activities.push(event.activity);
  };
  await run({ dir: makeDirectory(), size: '8M', steps, cache: 'keep' }, { onEvent });
  expect(activities.slice(0, 3)).toEqual(['preparing', 'pausing', 'preparing']);
});
