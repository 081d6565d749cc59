import { readFileSync } from 'node:fs';
import { run } from 'gobonnie';
import { describe, expect, test } from 'vitest';
import { makeDirectory } from '../support/disks/directory.js';

const BLOCK_BYTES = 4096;
const DATA_BYTES = 8 * 2 ** 20;

/** Returns how many bytes this process has written. */
function writtenBytes(): number {
  return Number(/wchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
}

/** Returns how many blocks this process wrote in addition to its data and to the random writes of a step. */
async function countOtherBlocks(step: { seconds: number; syncPerWrite?: 'fsync' }): Promise<number> {
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

describe.runIf(process.platform === 'linux')(
  'before a sequential phase, its threads repeat its first block',
  () => {
    const BYTES = 512;
    /** The phase checks everything that it reads, so a block in the wrong place would end the run. */
    const countOtherBytes = async (size: string) => {
      const before = writtenBytes();
      const { runs, outcome } = await run({
        ...{ dir: makeDirectory(), size, blockSize: BYTES, threads: 2, cache: 'keep', verify: true },
        phases: ['write', 'rewrite', 'read'],
      });
      expect(outcome).toEqual({ state: 'completed' });
      const measured = runs[0]?.measurements.reduce((total, step) => total + step.writtenBytes, 0) ?? 0;
      return writtenBytes() - before - measured;
    };

    test('40,000 times, which are not in the result', async () => {
      const blocks = (await countOtherBytes('20M')) / BYTES;
      expect(blocks).toBeGreaterThanOrEqual(80_000);
      expect(blocks).toBeLessThan(81_000);
    });

    test('not if the phase has fewer operations', async () => {
      expect((await countOtherBytes('19M')) / BYTES).toBeLessThan(1000);
    });
  },
);
