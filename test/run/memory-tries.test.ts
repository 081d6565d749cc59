import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { OptionsInput } from '../../src/options/options-schema.js';
import { measureMemoryCeiling } from '../../src/run/memory-ceiling.js';
import type { RunContext } from '../../src/run/run-context.js';
import type { Assignments } from '../../src/run/worker-pool/worker-pool.js';
import type { Phase } from '../../workers/phases/phase.js';
import { measurementWith, planWith, reportWith, runWith } from '../support/data/fixtures.js';

// A clock that stands still: a busy machine would end the tries early.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Bytes and operations per second of the phases that a run has measured. */
const MEASURED = 1000;

/**
 * The ceiling after a run with these options, and how often it tried each phase. Each try is as fast as the test says
 * and takes no time: the tries of real threads may all be disturbed by other programs.
 */
async function ceilingOf(input: OptionsInput, speedOf: (phase: string, attempt: number) => number) {
  const plan = planWith({ size: 0.5, threads: 1, ...input });
  const measurements = plan.phases.map((phase) =>
    measurementWith({
      phase,
      primaryRate: phase === 'iops' ? 'operations' : 'bytes',
      bytesPerSecond: MEASURED,
      operationsPerSecond: MEASURED,
      seconds: 3600,
    }),
  );
  const tries: string[] = [];
  const workerPool = {
    prepare: async (_: Phase, assignments: Assignments) => assignments,
    perform: async ({ name }: Phase, assignments: Assignments) => {
      tries.push(name);
      const speed = speedOf(name, tries.filter((tried) => tried === name).length);
      return {
        tallies: assignments.map(() => ({ readBytes: speed, operations: speed, endNs: 1_000_000_000n })),
        failures: [],
        gateNs: 0n,
      };
    },
  };
  const context = {
    plan,
    workerPool,
    report: reportWith({ runs: [runWith({ measurements })] }),
    scratch: { path: '/mnt/disk' },
    fileLocations: { assignments: (_: Phase, index: number) => plan.assignments[index] },
    stallDetector: { watch: (_: string, work: Promise<unknown>) => work },
    signal: new AbortController().signal,
  };
  return { ceiling: await measureMemoryCeiling(context as unknown as RunContext), tries };
}

describe('the memory ceiling has', () => {
  test.each<[string, OptionsInput, unknown]>([
    [
      'only the rate of reads if iops was not measured',
      { phases: ['write', 'read'] },
      { bytesPerSecond: 5000, operationsPerSecond: null },
    ],
    [
      'only the rate of operations if read was not measured',
      { phases: ['write', 'iops'] },
      { bytesPerSecond: null, operationsPerSecond: 5000 },
    ],
    [
      'only the rate of reads if every write is synced',
      { fsyncPerWrite: true },
      { bytesPerSecond: 5000, operationsPerSecond: null },
    ],
  ])('%s', async (_, options, ceiling) => {
    expect((await ceilingOf(options, () => 5000)).ceiling).toEqual(ceiling);
  });

  test('no rate of a phase that was twice as fast as all tries, as other programs disturbed them', async () => {
    const slowReads = (phase: string) => (phase === 'read' ? MEASURED / 2 - 1 : 5000);
    expect((await ceilingOf({}, slowReads)).ceiling).toEqual({
      bytesPerSecond: null,
      operationsPerSecond: 5000,
    });
    expect((await ceilingOf({}, () => MEASURED / 2 - 1)).ceiling).toBeNull();
  });
});

test('the best try counts, and there are twice as many if the phase itself was faster than the first four', async () => {
  const fast = await ceilingOf({ phases: ['write', 'read'] }, (_, attempt) => (attempt === 3 ? 7000 : 5000));
  expect(fast.ceiling).toMatchObject({ bytesPerSecond: 7000 });
  // The first finds how much can be read.
  expect(fast.tries).toHaveLength(1 + 4);
  const slow = await ceilingOf({ phases: ['write', 'read'] }, () => MEASURED - 1);
  expect(slow.tries).toHaveLength(1 + 8);
});
