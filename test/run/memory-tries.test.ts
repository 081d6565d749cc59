import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { OptionsInput } from '../../src/options/options-schema.js';
import type { Step } from '../../src/plan/steps.js';
import { measureMemoryCeiling } from '../../src/run/memory-ceiling.js';
import type { RunContext } from '../../src/run/run-context.js';
import { measurementWith, planWith, reportWith, runWith } from '../support/data/fixtures.js';

// A stopped clock, because a busy machine would end the attempts early.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Bytes and operations per second of the run's phases. */
const MEASURED = 1000;

/**
 * Returns the ceiling after a run with these options, and the attempts. Each attempt has the given speed and takes no
 * time, because other programs might disturb every attempt of real threads.
 */
async function measureCeiling(input: OptionsInput, getSpeed: (phase: string, attempt: number) => number) {
  const plan = planWith({ size: 0.5, threads: 1, ...input });
  const measurements = plan.steps.map(({ name: step }) =>
    measurementWith({
      step,
      primaryRate: step === 'iops' ? 'operations' : 'bytes',
      bytesPerSecond: MEASURED,
      operationsPerSecond: MEASURED,
      seconds: 3600,
      // A result of the device that is faster than the ceiling would disprove it.
      device: { ...measurementWith().device, share: null },
    }),
  );
  const tries: string[] = [];
  const transfers: Step['transfer'][] = [];
  const workerPool = {
    prepare: async () => [],
    perform: async ({ phase: { name: phase }, assignments, transfer }: Step) => {
      tries.push(phase);
      transfers.push(transfer);
      const speed = getSpeed(phase, tries.filter((tried) => tried === phase).length);
      return {
        tallies: assignments.map(() => ({
          readBytes: speed,
          writtenBytes: 0,
          operations: speed,
          endNs: 1_000_000_000n,
        })),
        failures: [],
        gateNs: 0n,
      };
    },
  };
  const context = {
    plan,
    workerPool,
    report: reportWith({ runs: [runWith({ measurements })] }),
    scratch: { directory: { path: '/mnt/disk' } },
    fileLocations: { locate: (step: Step) => step },
    stallDetector: { watch: (_: string, work: Promise<unknown>) => work },
    signal: new AbortController().signal,
  };
  return { ceiling: await measureMemoryCeiling(context as unknown as RunContext), tries, transfers };
}

describe('the memory ceiling', () => {
  test.each<[string, OptionsInput, unknown]>([
    [
      'has only the rate of reads if the run did not measure iops',
      { phases: ['write', 'read'] },
      [{ step: 'read', perSecond: 5000 }],
    ],
    [
      'has only the rate of operations if the run did not measure read',
      { phases: ['write', 'iops'] },
      [{ step: 'iops', perSecond: 5000 }],
    ],
    [
      'has only the rate of reads if every write is synced',
      { fsyncPerWrite: true },
      [{ step: 'read', perSecond: 5000 }],
    ],
  ])('the ceiling %s', async (_, options, ceiling) => {
    expect((await measureCeiling(options, () => 5000)).ceiling).toEqual(ceiling);
  });

  test('the ceiling has no rate if every attempt was less than half as fast as the phase', async () => {
    const slowReads = (phase: string) => (phase === 'read' ? MEASURED / 2 - 1 : 5000);
    expect((await measureCeiling({}, slowReads)).ceiling).toEqual([{ step: 'iops', perSecond: 5000 }]);
    expect((await measureCeiling({}, () => MEASURED / 2 - 1)).ceiling).toBeNull();
  });
});

test('the best attempt counts, and attempts double if the phase was faster than the first four attempts', async () => {
  const { ceiling, tries } = await measureCeiling({ phases: ['write', 'read'] }, (_, attempt) =>
    attempt === 3 ? 7000 : 5000,
  );
  expect(ceiling).toEqual([{ step: 'read', perSecond: 7000 }]);
  // The first pass only finds out how much data to read.
  expect(tries).toHaveLength(1 + 4);
  const slow = await measureCeiling({ phases: ['write', 'read'] }, () => MEASURED - 1);
  // A ceiling below the result would be no ceiling.
  expect(slow.ceiling).toEqual([{ step: 'read', perSecond: MEASURED }]);
  expect(slow.tries).toHaveLength(1 + 8);
});

test('no attempt waits for a disk, even with --direct and the final sync', async () => {
  const { transfers } = await measureCeiling({ direct: true }, () => 5000);
  expect(transfers.length).toBeGreaterThan(2);
  for (const transfer of transfers) expect(transfer).toMatchObject({ direct: false, fsync: false });
});
