import { readFileSync } from 'node:fs';
import { run } from 'gobonnie';
import { describe, expect, test } from 'vitest';
import { makeDirectory } from '../support/disks/directory.js';

const BLOCK_BYTES = 4096;
const DATA_BYTES = 8 * 2 ** 20;

/** Returns how many blocks this process wrote in addition to its data and to the random writes of a step. */
async function countOtherBlocks(step: { seconds: number; syncPerWrite?: 'fsync' }): Promise<number> {
  const writtenBytes = () => Number(/wchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
  const before = writtenBytes();
  const steps = [{ phase: 'random', ioSize: BLOCK_BYTES, threads: 2, mix: 0, ...step }] as const;
  const { runs, outcome } = await run({ dir: makeDirectory(), size: '8M', steps, cache: 'keep' });
  expect(outcome).toEqual({ state: 'completed' });
  const operations = runs[0]?.measurements[0]?.operations ?? 0;
  return (writtenBytes() - before - DATA_BYTES) / BLOCK_BYTES - operations;
}

describe.runIf(process.platform === 'linux')('before a random step, its threads repeat its operation', () => {
  test('40,000 times, which are not in the result', async () => {
    const blocks = await countOtherBlocks({ seconds: 1 });
    expect(blocks).toBeGreaterThanOrEqual(40_000);
    expect(blocks).toBeLessThan(40_500);
  });

  test('not if the step is shorter than a second', async () => {
    expect(await countOtherBlocks({ seconds: 0.5 })).toBeLessThan(500);
  });

  test('not if every write waits for the disk', async () => {
    expect(await countOtherBlocks({ seconds: 1, syncPerWrite: 'fsync' })).toBeLessThan(500);
  });
});
