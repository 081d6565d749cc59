import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runStonewall, type Stonewall } from '../../../src/run/worker-pool/stonewall-run.js';

const AMOUNTS = { seconds: 0.01, bytes: 5000, operations: 50 };
const WALL: Stonewall = {
  seconds: 0.01,
  lastSeconds: 600,
  leastSteps: 2,
  operationsPerStep: 1,
  maxSteps: async (steps) => steps,
};

/** Simulates workers of which the fastest has done 50 operations. `limits` collects the limits that are set. */
function workers(isBusy: () => boolean = () => true) {
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

function cut(wall: Partial<Stonewall>, { ends, tools }: ReturnType<typeof workers>) {
  return runStonewall({ ...WALL, ...wall }, process.hrtime.bigint(), ends, tools);
}

test('the limit for all workers is the progress of the fastest worker', async () => {
  const team = workers();
  expect(await cut({}, team)).toEqual({ ...AMOUNTS, isEven: true });
  expect(team.limits).toEqual([50]);
});

test('the limit in a job is the progress of the fastest worker of any rank', async () => {
  const team = workers();
  await cut({ maxSteps: async (steps) => steps + 30 }, team);
  expect(team.limits).toEqual([80]);
});

test('the limit for single bytes counts whole blocks', async () => {
  const team = workers();
  await cut({ operationsPerStep: 40 }, team);
  expect(team.limits).toEqual([2]);
});

test('the limit is at least the minimum work per worker', async () => {
  const team = workers();
  await cut({ leastSteps: 70 }, team);
  expect(team.limits).toEqual([70]);
});

test('workers that do not catch up in time are stopped', async () => {
  const { tools, ...team } = workers();
  const limits: number[] = [];
  const limitTo = (steps: number) => {
    limits.push(steps);
    if (steps === WALL.leastSteps) team.finish();
  };
  const atWall = await cut({ lastSeconds: 0.02 }, { ...team, tools: { ...tools, limitTo } });
  expect(atWall?.isEven).toBe(false);
  expect(limits).toEqual([50, 2]);
});

test('workers are stopped in time even if another rank replies late, and its reply does not restart them', async () => {
  const team = workers();
  const maxSteps = async () => {
    await team.ends;
    await setTimeout(1);
    return 90;
  };
  expect((await cut({ lastSeconds: 0.02, maxSteps }, team))?.isEven).toBe(false);
  expect(team.limits).toEqual([2]);
});

test('a phase that ends early is not stopped, but the other ranks still receive its steps', async () => {
  const team = workers(() => false);
  team.finish();
  const sentSteps: number[] = [];
  const maxSteps = async (steps: number) => {
    sentSteps.push(steps);
    return steps;
  };
  expect(await cut({ seconds: 300, maxSteps }, team)).toBeNull();
  expect(sentSteps).toEqual([50]);
});

test('a failure to reach the other ranks rejects', async () => {
  const team = workers();
  const failure = new Error('a rank is lost');
  await expect(cut({ maxSteps: () => Promise.reject(failure) }, team)).rejects.toBe(failure);
});
