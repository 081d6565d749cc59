import { expect, test } from 'vitest';
import { refuseManyWorkers } from '../../src/plan/worker-memory.js';
import { KIB, MIB } from '../../src/text/units.js';
import { planWith, refusal } from '../support/fixtures.js';

const TRANSFERS = { totalBytes: 65 * 64 * KIB, regionBytes: 64 * KIB };
const LARGEST_REFUSED_BYTES = 80 * MIB + 64 * 12 * MIB + TRANSFERS.totalBytes - 1;

test('threads that the memory is too small for are refused, with how many would do', () => {
  const memory = { memoryLimitBytes: 128 * MIB };
  expect(() => planWith({ size: 1, threads: 64 }, memory)).toThrow(
    refusal(
      'memory-too-small',
      '64 threads need 852.1 MiB of memory, and at most 128 MiB can be had; pass at most --threads 3',
    ),
  );
  expect(planWith({ size: 1, threads: 3 }, memory).workers).toBe(3);
  expect(() => planWith({ size: 1, threads: 4 }, memory)).toThrow(
    expect.objectContaining({ hint: 'pass at most --threads 3' }),
  );
});

test('seekers are threads, too', () => {
  const options = { size: 1, threads: 2, seekers: 16, phases: 'write,seeks' };
  expect(() => planWith(options, { memoryLimitBytes: 128 * MIB })).toThrow(
    expect.objectContaining({ hint: 'pass at most --seekers 3' }),
  );
});

test('a memory that is too small for a single one has to be larger', () => {
  expect(() => planWith({ size: 1, threads: 1 }, { memoryLimitBytes: 32 * MIB })).toThrow(
    refusal(
      'memory-too-small',
      '1 thread needs 92.1 MiB of memory, and at most 32 MiB can be had; raise the limit on memory',
    ),
  );
});

test.each([
  [LARGEST_REFUSED_BYTES, true],
  [LARGEST_REFUSED_BYTES + 1, false],
])('a limit of %i bytes is too small for 64 threads: %s', (memoryLimitBytes, isRefused) => {
  const act = () => refuseManyWorkers({ workers: 64, threads: 64 }, TRANSFERS, { memoryLimitBytes });
  if (isRefused) expect(act).toThrow('64 threads need');
  else expect(act).not.toThrow();
});
