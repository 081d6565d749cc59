import { expect, test } from 'vitest';
import { run } from '../../src/library/run.js';
import type { Measurement } from '../../src/report/schema/measurement-schema.js';
import { makeDirectory } from '../support/disks/directory.js';

async function measureIops(mix: number): Promise<Measurement> {
  const dir = makeDirectory();
  const phases = ['write', 'iops'];
  const report = await run({ dir, size: '2M', threads: 2, phases, iopsDuration: 0.2, mix, cache: 'keep' });
  expect(report.outcome).toEqual({ state: 'completed' });
  const measurement = report.runs[0]?.measurements[1];
  if (!measurement) throw new Error('iops was not measured');
  return measurement;
}

test.each([70, 12.5])('with --mix %s, that share of the operations reads', async (mix) => {
  const { operations, readBytes, writtenBytes, operationsPerSecond, latencyNs, reads, writes, threads } =
    await measureIops(mix);
  if (!reads || !writes || !latencyNs) throw new Error('the reads and writes are not apart');
  expect(reads.operations + writes.operations).toBe(operations);
  // Each thread spreads its writes evenly, so it is at most one operation off.
  expect(Math.abs(reads.operations - (operations * mix) / 100)).toBeLessThanOrEqual(threads);
  expect([reads.bytes, writes.bytes]).toEqual([readBytes, writtenBytes]);
  expect(reads.operationsPerSecond + writes.operationsPerSecond).toBeCloseTo(operationsPerSecond);
  expect((reads.latencyNs?.samples ?? 0) + (writes.latencyNs?.samples ?? 0)).toBe(latencyNs.samples);
});

test('with --mix 100 no operation writes, and with --mix 0 no operation reads', async () => {
  const onlyReads = await measureIops(100);
  expect(onlyReads).toMatchObject({ writtenBytes: 0, readBytes: onlyReads.operations * 512 });
  const onlyWrites = await measureIops(0);
  expect(onlyWrites).toMatchObject({ readBytes: 0, writtenBytes: onlyWrites.operations * 512 });
  for (const { reads, writes, latencyNs, copyLatencyNs } of [onlyReads, onlyWrites]) {
    expect([reads, writes]).toEqual([undefined, undefined]);
    expect((latencyNs ?? copyLatencyNs)?.samples).toBeGreaterThan(0);
  }
});
