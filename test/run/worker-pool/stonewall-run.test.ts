import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runStonewall, type Stonewall } from '../../../src/run/worker-pool/stonewall-run.js';

const AMOUNTS = { seconds: 0.01, bytes: 5000, operations: 50 };
const DEFAULTS: Stonewall = {
  seconds: 0.01,
  lastSeconds: 600,
  leastSteps: 2,
  operationsPerStep: 1,
  maxSteps: async (steps) => steps,
};

/** Simulates workers of which the fastest has done 50 operations. `limits` collects the limits that are set. */
function simulateWorkers(isBusy: () => boolean = () => true) {
  const limits: number[] = [];
  let finish = () => {};
  const ends = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const limited = (steps: number) => {
    limits.push(steps);
    finish();
  };
  const tools = { isBusy, totals: () => AMOUNTS, maxOperations: () => 50, limitTo: limited };
  return { ends, finish, limits, tools };
}

function runPhase(options: Partial<Stonewall>, { ends, tools }: ReturnType<typeof simulateWorkers>) {
  return runStonewall({ ...DEFAULTS, ...options }, process.hrtime.bigint(), ends, tools);
}

test('the limit for all workers is the progress of the fastest worker', async () => {
  const workers = simulateWorkers();
  expect(await runPhase({}, workers)).toEqual({ ...AMOUNTS, isEven: true });
  expect(workers.limits).toEqual([50]);
});

test('the limit in a job is the progress of the fastest worker of any rank', async () => {
  const workers = simulateWorkers();
  await runPhase({ maxSteps: async (steps) => steps + 30 }, workers);
  expect(workers.limits).toEqual([80]);
});

test('the limit for single bytes counts whole blocks', async () => {
  const workers = simulateWorkers();
  await runPhase({ operationsPerStep: 40 }, workers);
  expect(workers.limits).toEqual([2]);
});

test('the limit is at least the minimum work per worker', async () => {
  const workers = simulateWorkers();
  await runPhase({ leastSteps: 70 }, workers);
  expect(workers.limits).toEqual([70]);
});

test('workers that do not catch up in time are stopped', async () => {
  const { tools, ...workers } = simulateWorkers();
  const limits: number[] = [];
  const limitTo = (steps: number) => {
    limits.push(steps);
    if (steps === DEFAULTS.leastSteps) workers.finish();
  };
  const snapshot = await runPhase({ lastSeconds: 0.02 }, { ...workers, tools: { ...tools, limitTo } });
  expect(snapshot?.isEven).toBe(false);
  expect(limits).toEqual([50, 2]);
});

test('workers are stopped in time even if another rank replies late, and its reply does not restart them', async () => {
  const workers = simulateWorkers();
  const maxSteps = async () => {
    await workers.ends;
    await setTimeout(1);
    return 90;
  };
  expect((await runPhase({ lastSeconds: 0.02, maxSteps }, workers))?.isEven).toBe(false);
  expect(workers.limits).toEqual([2]);
});

test('a phase that ends early is not stopped, but the other ranks still receive its steps', async () => {
  const workers = simulateWorkers(() => false);
  workers.finish();
  const sentSteps: number[] = [];
  const maxSteps = async (steps: number) => {
    sentSteps.push(steps);
    return steps;
  };
  expect(await runPhase({ seconds: 300, maxSteps }, workers)).toBeNull();
  expect(sentSteps).toEqual([50]);
});

test('a failure to reach the other ranks rejects', async () => {
  const workers = simulateWorkers();
  const failure = new Error('a rank is lost');
  await expect(runPhase({ maxSteps: () => Promise.reject(failure) }, workers)).rejects.toBe(failure);
});
