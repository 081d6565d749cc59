import { beforeEach, expect, test } from 'vitest';
import { run } from '../../src/index.js';
import { mountQueueDisk, QUEUE_DISK_TOOLS } from '../support/disks/fuse.js';
import { requireTools } from '../support/tools.js';

/** Much longer than the usual delays of a busy machine. */
const READ_SECONDS = 0.1;
const SMALL_READ = { phase: 'random', ioSize: '4k', mix: 100, threads: 1, direct: true } as const;
const LARGE_READS = { phase: 'random', ioSize: '16k', mix: 100, threads: 2, direct: true } as const;

beforeEach(requireTools(...QUEUE_DISK_TOOLS));

// Served by arrival, each read waits for both others and for itself. A disk that prefers small reads delays each by the read in service.
// So the queue delays every read equally, and a stall of the machine, which would be the p99 of so few reads, does not count in the median.
test.each([
  ['arrival', 3],
  ['size', 2],
] as const)(
  'beside two reads on a disk that serves by %s, a small read takes %i times as long as alone',
  async (order, factor) => {
    const report = await run({
      dir: await mountQueueDisk(order, READ_SECONDS),
      size: '2M',
      steps: [
        { ...SMALL_READ, name: 'alone', seconds: 4 },
        { ...SMALL_READ, name: 'loaded', seconds: 6, beside: [{ ...LARGE_READS, name: 'others' }] },
      ],
    });
    const latencyOf = (name: string) =>
      report.runs[0]?.measurements.find(({ step }) => step === name)?.latencyNs;
    const growth = (latencyOf('loaded')?.p50 ?? 0) / (latencyOf('alone')?.p50 ?? 0);
    expect(growth).toBeGreaterThan(factor * 0.8);
    expect(growth).toBeLessThan(factor * 1.2);
  },
);
