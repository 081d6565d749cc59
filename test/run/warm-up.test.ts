import { readFileSync } from 'node:fs';
import { run } from 'gobonnie';
import { describe, expect, test } from 'vitest';
import { makeDirectory } from '../support/disks/directory.js';

/** Returns the number of write calls that this process made in addition to the random writes of a step. */
async function countOtherWrites(step: { seconds: number; syncPerWrite?: 'fsync' }): Promise<number> {
  const writeCalls = () => Number(/syscw: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
  const before = writeCalls();
  const steps = [{ phase: 'random', ioSize: '4k', threads: 2, mix: 0, ...step }] as const;
  const { runs, outcome } = await run({ dir: makeDirectory(), size: '8M', steps, cache: 'keep' });
  expect(outcome).toEqual({ state: 'completed' });
  return writeCalls() - before - (runs[0]?.measurements[0]?.operations ?? 0);
}

describe.runIf(process.platform === 'linux')('before a random step, its threads repeat its operation', () => {
  test('5,000 times, which are not in the result', async () => {
    const calls = await countOtherWrites({ seconds: 1 });
    expect(calls).toBeGreaterThan(2 * 5000);
    expect(calls).toBeLessThan(2 * 5000 + 2000);
  });

  test('not if the step is shorter than a second', async () => {
    expect(await countOtherWrites({ seconds: 0.5 })).toBeLessThan(2000);
  });

  test('not if every write waits for the disk', async () => {
    expect(await countOtherWrites({ seconds: 1, syncPerWrite: 'fsync' })).toBeLessThan(2000);
  });
});
