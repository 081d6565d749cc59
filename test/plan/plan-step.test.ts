import { describe, expect, test } from 'vitest';
import { shuffleSteps } from '../../src/plan/plan-step.js';
import { limitAssignments } from '../../src/plan/stonewall-plan.js';
import { KIB, MIB } from '../../src/text/units.js';
import { planWith } from '../support/data/fixtures.js';

const BOTH = 'read,block-size=1m,threads=3 random,io-size=4k,threads=32,mix=100';

/** Returns the offsets and the lengths of each thread's part, in blocks. */
function parts(steps: string, blockBytes: number) {
  const [step] = planWith({ size: '8M', threads: 2, steps }).steps;
  return step?.assignments.map(({ slices }) =>
    slices.map(({ offsetBytes, lengthBytes }) => [offsetBytes / blockBytes, lengthBytes / blockBytes]),
  );
}

describe('the plan of a list of steps', () => {
  test('gives a step without a block size that of the run, however large the blocks of others are', () => {
    const { steps } = planWith({ size: '64M', steps: 'fill,block-size=4m read,threads=1' });
    expect(steps.map(({ name, transfer }) => [name, transfer.blockSizeBytes])).toEqual([
      ['seq4m.fill', 4 * MIB],
      ['seq64k-t1.read', 64 * KIB],
    ]);
  });

  test('has one data file for all threads, in blocks of the largest size', () => {
    const { scratchLayout, slices, transfer, layout, workerGroups } = planWith({
      size: '8M',
      threads: 2,
      steps: BOTH,
    });
    expect(scratchLayout.files).toBe(1);
    expect(slices).toMatchObject([{ offsetBytes: 0, lengthBytes: 8 * MIB }]);
    expect(transfer.blockSizeBytes).toBe(MIB);
    expect(layout?.assignments).toHaveLength(2);
    expect(workerGroups).toEqual([32]);
  });

  test('lets the threads of a sequential step take turns at the blocks', () => {
    expect(parts('read,block-size=1m,threads=3', MIB)).toEqual([[[0, 8]], [[1, 7]], [[2, 6]]]);
    const [step] = planWith({ size: '8M', steps: 'read,block-size=1m,threads=3' }).steps;
    expect(step?.transfer.strideBytes).toBe(3 * MIB);
  });

  test('gives each thread of a random step all of the data', () => {
    expect(parts('random,io-size=4k,threads=2', MIB)).toEqual([[[0, 8]], [[0, 8]]]);
  });

  test.each([
    ['read,block-size=1m,size=3M', { goal: { unit: 'bytes', amount: 3 * MIB, timeLimitSeconds: 15 } }],
    ['random,seconds=2', { goal: { unit: 'seconds', amount: 2 }, maxOperationsPerWorker: null }],
    ['random,io-size=4k,threads=2,size=1M', { maxOperationsPerWorker: 128 }],
    ['write,direct', { phase: { name: 'overwrite' }, transfer: { direct: true, syncPerWrite: null } }],
    ['write,sync-per-write=fdatasync', { transfer: { direct: false, syncPerWrite: 'fdatasync' } }],
  ])('%s has its own limits and its own way to write', (steps, expected) => {
    expect(planWith({ size: '8M', threads: 1, steps }).steps[0]).toMatchObject(expected);
  });

  test('syncs after each write with --fsync-per-write, but not after reads', () => {
    const { steps } = planWith({ size: '8M', fsyncPerWrite: true, steps: 'write read random,mix=100' });
    expect(steps.map(({ transfer }) => transfer.syncPerWrite)).toEqual(['fsync', null, null]);
  });

  test('lays out 1 GiB by default, because direct I/O does not need more data than RAM', () => {
    expect(planWith({ steps: 'read' }).totalBytes).toBe(1024 * MIB);
  });

  test.each([
    [{ phases: 'write,read' }, 'pass --unique, and --compressible if your data compresses'],
    [
      { phases: 'install,status' },
      'compare these results only with those of other filesystems that compress',
    ],
  ])('on a compressing filesystem, %j gets a hint that applies to it', (options, hint) => {
    const { warnings } = planWith(options, { target: { compression: 'zstd' } });
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'compressing-filesystem', hint }));
  });

  test.each([
    [{ steps: 'read,threads=1024' }, 'use at most '],
    [{ steps: 'read', dataFiles: 2 }, '--step and --data-files 2 cannot be combined'],
    [{ steps: 'read,block-size=1m,size=4k' }, 'a step moves less than one block of 1 MiB'],
  ])('%j is rejected', (options, text) => {
    const machine = { memoryLimitBytes: 2048 * MIB };
    const errors = () => planWith({ size: '64M', threads: 1, ...options }, machine);
    expect(errors).toThrow(expect.objectContaining({ line: expect.stringContaining(text) }));
  });
});

test('a layout that was stopped leaves the part that the threads have written without a gap', () => {
  const plan = planWith({
    size: '8M',
    threads: 2,
    steps: 'random,io-size=4k,threads=1 read,block-size=1m,threads=1',
  });
  // The second thread has written blocks 1 and 3, the first only block 0.
  const limited = plan.steps.map((step) => limitAssignments(step, plan, [MIB, 2 * MIB]));
  expect(limited).toMatchObject([
    [{ slices: [{ lengthBytes: 2 * MIB }] }],
    [{ slices: [{ lengthBytes: 2 * MIB }] }],
  ]);
});

test('a part of a filled disk is the part that the thread has written, for any number of files', () => {
  const plan = planWith({ size: '392M', threads: 1, steps: 'fill,block-size=4m read,block-size=4m' });
  expect(plan.slices).toHaveLength(49);
  const [fill, read] = plan.steps;
  expect(fill?.assignments[0]?.slices).toHaveLength(49);
  const limited = read && limitAssignments(read, plan, [12 * MIB]);
  expect(limited?.[0]?.slices.map(({ lengthBytes }) => lengthBytes / MIB)).toEqual([8, 4]);
});

test('the order of the steps depends on the seed and the run only', () => {
  const steps = Array.from({ length: 8 }, (_, at) => `random,io-size=${4 * (at + 1) * KIB}`);
  const plan = planWith({ size: '8M', steps });
  const names = (seed: number, run: number) => shuffleSteps(plan.steps, seed, run).map(({ name }) => name);
  expect(names(1, 1)).toEqual(names(1, 1));
  expect(names(1, 1).toSorted()).toEqual(plan.steps.map(({ name }) => name).toSorted());
  expect(new Set([names(1, 1), names(1, 2), names(2, 1)].map(String)).size).toBe(3);
});
